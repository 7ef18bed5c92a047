package io.holdfast.lock.model;

import java.util.Optional;

/**
 * Names a lease and says what must still be true of it for a renewal or a release.
 *
 * @param token the token that the holder was given. A lease of the same lock_id with another token is a later one: the
 *     lock was free, or another owner's, in between
 * @param attempt the attempt that the lease must still belong to
 */
public record LeaseClaim(LeaseRef ref, Optional<FencingToken> token, Optional<AttemptId> attempt) {
    public static LeaseClaim of(LeaseRef ref) {
        return new LeaseClaim(ref, Optional.empty(), Optional.empty());
    }

    /** This very lease, and only while it belongs to this attempt. */
    public static LeaseClaim of(Lease lease, AttemptId attempt) {
        return new LeaseClaim(lease.ref(), Optional.of(lease.token()), Optional.of(attempt));
    }

    public LeaseClaim withToken(Optional<FencingToken> named) {
        return new LeaseClaim(ref, named, attempt);
    }

    public LockName name() {
        return ref.name();
    }

    /** Whether this is the lease, whichever attempt it belongs to. */
    public boolean names(Lease lease) {
        return lease.is(ref)
                && token.filter(named -> !named.equals(lease.token())).isEmpty();
    }

    /** Whether a later attempt of the same owner has taken the lease over. */
    public boolean isSupersededIn(LockRecord record) {
        return attempt.filter(mine -> !mine.equals(record.attempts().current())).isPresent();
    }

    /** Whether the attempt that this is for may not end the lease, because another attempt relies on it. */
    public boolean isReliedOnElsewhere(LockRecord record) {
        return isSupersededIn(record)
                || attempt.isPresent() && record.attempts().isShared();
    }
}
