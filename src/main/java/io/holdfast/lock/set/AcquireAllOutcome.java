package io.holdfast.lock.set;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.port.AcquireOutcome;
import java.util.List;

/** What became of a wish for several locks: all of them, or none. */
public sealed interface AcquireAllOutcome {
    /**
     * @param leases one for each lock, in the order of the names
     * @param fresh whether at least one of them is new; otherwise the owner had them all before
     */
    record AllGranted(List<Lease> leases, boolean fresh) implements AcquireAllOutcome {
        public AllGranted {
            leases = List.copyOf(leases);
        }
    }

    /** @param answer what the first lock that was not granted said */
    record Blocked(Timestamped<AcquireOutcome> answer) implements AcquireAllOutcome {}

    /** One was lost again while another was waited for. */
    record LostMeanwhile(LockName name, LeaseLoss loss) implements AcquireAllOutcome {}
}
