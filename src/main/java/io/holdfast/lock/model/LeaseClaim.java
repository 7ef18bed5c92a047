package io.holdfast.lock.model;

import java.util.Optional;

/**
 * Names a lease, with the conditions for its renewal or release.
 *
 * @param token the token that the holder was given. A lease with the same lock_id and another token is a later lease
 * @param attempt the attempt that the lease must still belong to
 */
public record LeaseClaim(LeaseRef ref, Optional<FencingToken> token, Optional<AttemptId> attempt) {
    public static LeaseClaim of(LeaseRef ref) {
        return new LeaseClaim(ref, Optional.empty(), Optional.empty());
    }

    /** This lease, with its token, while it belongs to this attempt. */
    public static LeaseClaim of(Lease lease, AttemptId attempt) {
        return new LeaseClaim(lease.ref(), Optional.of(lease.token()), Optional.of(attempt));
    }

    public LeaseClaim withToken(Optional<FencingToken> named) {
        return new LeaseClaim(ref, named, attempt);
    }

    public LockName name() {
        return ref.name();
    }

    /** Whether this names the lease. The attempt is not compared. */
    public boolean names(Lease lease) {
        return lease.is(ref)
                && token.filter(named -> !named.equals(lease.token())).isEmpty();
    }

    /** Whether a later attempt of the same owner has taken the lease over. */
    public boolean isSupersededIn(LockRecord record) {
        return attempt.filter(mine -> !mine.equals(record.attempts().current())).isPresent();
    }

    /** Whether another attempt relies on the lease, so that this attempt must not end it. */
    public boolean isReliedOnElsewhere(LockRecord record) {
        return isSupersededIn(record)
                || attempt.isPresent() && record.attempts().isShared();
    }
}
