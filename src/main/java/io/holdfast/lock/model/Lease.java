package io.holdfast.lock.model;

import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The right to a lock for a time.
 *
 * @param name the lock
 * @param id this acquisition of it
 * @param owner who was granted it
 * @param token what this owner shows to the things it changes
 * @param term from when until when
 * @param labels what the owner said of itself
 */
public record Lease(LockName name, LockId id, Owner owner, FencingToken token, Term term, Labels labels) {

    /**
     * @param acquiredAt when the lock was granted; renewals leave it
     * @param expiresAt when the right ends, unless renewed before
     * @param ttl the duration last granted
     * @param renewals how often it was prolonged, or confirmed as it was
     * @param renewUntil until when the service renews it by itself, as long as it hears of the holder; none leaves
     *     renewing to the holder
     */
    public record Term(
            Instant acquiredAt, Instant expiresAt, Duration ttl, long renewals, Optional<Instant> renewUntil) {
        public Term(Instant acquiredAt, Instant expiresAt, Duration ttl, long renewals) {
            this(acquiredAt, expiresAt, ttl, renewals, Optional.empty());
        }

        public static Term startingAt(Instant now, Duration ttl) {
            return new Term(now, now.plus(ttl), ttl, 0);
        }

        /** When the present duration was granted: at the acquire, or at the last renewal. */
        public Instant grantedAt() {
            return expiresAt.minus(ttl);
        }

        Term renewedAt(Instant now, Duration newTtl) {
            return new Term(acquiredAt, now.plus(newTtl), newTtl, renewals + 1, renewUntil);
        }

        public Term renewedUntil(Optional<Instant> until) {
            return new Term(acquiredAt, expiresAt, ttl, renewals, until);
        }
    }

    public LeaseRef ref() {
        return new LeaseRef(name, id, owner);
    }

    public Instant expiresAt() {
        return term.expiresAt();
    }

    public boolean expiredAt(Instant now) {
        return !now.isBefore(expiresAt());
    }

    /** Time left: never negative, and never more than was granted, whatever clock has written the end. */
    public Duration remainingAt(Instant now) {
        var left = expiredAt(now) ? Duration.ZERO : Duration.between(now, expiresAt());
        return Durations.min(left, term.ttl());
    }

    public boolean is(LeaseRef ref) {
        return id.equals(ref.id()) && owner.equals(ref.owner());
    }

    /** The same term, once more confirmed. */
    public Lease touched() {
        var again = new Term(term.acquiredAt(), term.expiresAt(), term.ttl(), term.renewals() + 1, term.renewUntil());
        return new Lease(name, id, owner, token, again, labels);
    }

    /**
     * If a later renewal came first, this one was held up on its way, or comes from a clock that is behind. It must not
     * take back what the later one promised, and is only a trace.
     */
    public Lease renewedAt(Instant now, Duration newTtl) {
        return term.grantedAt().isAfter(now)
                ? touched()
                : new Lease(name, id, owner, token, term.renewedAt(now, newTtl), labels);
    }
}
