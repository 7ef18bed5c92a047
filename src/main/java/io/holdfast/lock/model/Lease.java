package io.holdfast.lock.model;

import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The right to a lock for a limited time.
 *
 * @param id identifies this acquisition
 * @param token the owner sends it to the resources that it changes
 */
public record Lease(LockName name, LockId id, Owner owner, FencingToken token, Term term, Labels labels) {

    /**
     * @param acquiredAt when the lock was granted; renewals do not change it
     * @param ttl the duration that was granted last
     * @param renewals how often the lease was extended, or confirmed without a new end
     * @param renewUntil until when the service renews the lease while the holder sends heartbeats; if absent, the
     *     holder renews it
     */
    public record Term(
            Instant acquiredAt, Instant expiresAt, Duration ttl, long renewals, Optional<Instant> renewUntil) {
        public Term(Instant acquiredAt, Instant expiresAt, Duration ttl, long renewals) {
            this(acquiredAt, expiresAt, ttl, renewals, Optional.empty());
        }

        public static Term startingAt(Instant now, Duration ttl) {
            return new Term(now, now.plus(ttl), ttl, 0);
        }

        /** The time of the last renewal, or else of the acquire. */
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

    /** Time left: never negative, and at most the TTL, even if a wrong clock has written {@code expiresAt}. */
    public Duration remainingAt(Instant now) {
        var left = expiredAt(now) ? Duration.ZERO : Duration.between(now, expiresAt());
        return Durations.min(left, term.ttl());
    }

    public boolean is(LeaseRef ref) {
        return id.equals(ref.id()) && owner.isSameAs(ref.owner());
    }

    /** A lease without a subject becomes the lease of the first subject that uses it as its owner. */
    public Lease adoptedBy(Owner user) {
        return owner.subject().isEmpty() && user.subject().isPresent()
                ? new Lease(name, id, new Owner(owner.value(), user.subject()), token, term, labels)
                : this;
    }

    /** The same end, with {@code renewals} incremented. */
    public Lease touched() {
        var again = new Term(term.acquiredAt(), term.expiresAt(), term.ttl(), term.renewals() + 1, term.renewUntil());
        return new Lease(name, id, owner, token, again, labels);
    }

    /**
     * If the lease was granted after {@code now}, this renewal is delayed or its clock is behind. It must not shorten
     * the lease that the later renewal granted, so it only increments {@code renewals}.
     */
    public Lease renewedAt(Instant now, Duration newTtl) {
        return term.grantedAt().isAfter(now)
                ? touched()
                : new Lease(name, id, owner, token, term.renewedAt(now, newTtl), labels);
    }
}
