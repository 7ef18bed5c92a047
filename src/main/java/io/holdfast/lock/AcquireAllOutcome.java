package io.holdfast.lock;

import io.holdfast.lock.LockService.At;
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
    record Blocked(At<AcquireOutcome> answer) implements AcquireAllOutcome {}

    /** One was lost again while another was waited for. */
    record LostMeanwhile(LockName name, Loss loss) implements AcquireAllOutcome {}
}
