package io.holdfast.lock;

public sealed interface ReleaseOutcome {
    record Released(Lease lease) implements ReleaseOutcome {}

    /** Nobody holds the lock: it had been released, had expired, or never was. */
    record AlreadyGone() implements ReleaseOutcome {}

    /** Somebody else, or a later acquisition, holds the lock now; nothing was changed. */
    record HeldByAnother(Lease holder) implements ReleaseOutcome {}
}
