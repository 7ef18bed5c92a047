package io.holdfast.lock;

public sealed interface ReleaseOutcome {
    /** @param line those who wait for it now */
    record Released(Lease lease, Line line) implements ReleaseOutcome {
        public Released(Lease lease) {
            this(lease, Line.EMPTY);
        }
    }

    /** Nobody holds the lock: it had been released, had expired, or never was. */
    record AlreadyGone() implements ReleaseOutcome {}

    /** Somebody else, a later acquisition or a later hold of the same one has the lock now; nothing was changed. */
    record HeldByAnother(Lease holder) implements ReleaseOutcome {}
}
