package io.holdfast.lock.set;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.AcquireOutcome;
import java.util.List;

/** The result of a request for several locks: all of them, or none. */
public sealed interface AcquireAllOutcome {
    /**
     * @param leases one for each lock, in the order of the names
     * @param fresh whether at least one lease is new; otherwise the owner had all of them before
     */
    record AllGranted(List<Lease> leases, boolean fresh) implements AcquireAllOutcome {
        public AllGranted {
            leases = List.copyOf(leases);
        }
    }

    /** @param answer the refusal of the first lock that was not granted */
    record Blocked(Timestamped<AcquireOutcome> answer) implements AcquireAllOutcome {}

    /** A lease was lost while the request waited for another lock. */
    record LostMeanwhile(LockName name, LeaseLoss loss) implements AcquireAllOutcome {}
}
