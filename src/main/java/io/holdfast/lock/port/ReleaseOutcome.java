package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.WaitQueue;

public sealed interface ReleaseOutcome {
    /** @param queue those who wait for it now */
    record Released(Lease lease, WaitQueue queue) implements ReleaseOutcome {
        public Released(Lease lease) {
            this(lease, WaitQueue.EMPTY);
        }
    }

    /** An earlier try of this release was carried out, its answer was lost, and the lock has been granted again since. */
    record ReleasedBefore() implements ReleaseOutcome {}

    /** Nobody holds the lock: it had been released, had expired, or never was. */
    record AlreadyGone() implements ReleaseOutcome {}

    /** Another owner or a later acquisition of the same owner holds the lock now; nothing was changed. */
    record HeldByAnother(Lease holder) implements ReleaseOutcome {}

    /** The lease is the owner's, but a later attempt of the owner has taken it over; nothing was changed. */
    record Superseded(Lease lease) implements ReleaseOutcome {}
}
