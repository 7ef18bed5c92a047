package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.WaitQueue;

public sealed interface ReleaseOutcome {
    /** @param queue the waiters at the time of the release */
    record Released(Lease lease, WaitQueue queue) implements ReleaseOutcome {
        public Released(Lease lease) {
            this(lease, WaitQueue.EMPTY);
        }
    }

    /** An earlier try of this release succeeded, its answer was lost, and the lock has been granted again since. */
    record ReleasedBefore() implements ReleaseOutcome {}

    /** The lock has no holder: it was released, has expired, or never existed. */
    record AlreadyGone() implements ReleaseOutcome {}

    /** Another owner or a later acquisition of the same owner holds the lock now; nothing was changed. */
    record HeldByAnother(Lease holder) implements ReleaseOutcome {}

    /** A later attempt of the same owner has taken the lease over; nothing was changed. */
    record Superseded(Lease lease) implements ReleaseOutcome {}
}
