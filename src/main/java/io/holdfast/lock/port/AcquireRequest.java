package io.holdfast.lock.port;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.Presence;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Wants a lock. The reference makes the request safe to repeat.
 *
 * @param ref who wants which lock, and the acquisition it is to become
 * @param attempt this very request: repeated by its caller, it is another attempt
 * @param terms for how long
 * @param labels what the owner says of itself
 * @param queueEntry how it stands in line if the lock is not free for it; none asks once
 * @param observation what is known of the lock already
 */
public record AcquireRequest(
        LeaseRef ref,
        AttemptId attempt,
        Terms terms,
        Labels labels,
        Optional<QueueEntry> queueEntry,
        Observation observation) {

    /**
     * @param ttl of the lease
     * @param maxHold how long the service may go on renewing it by itself; none leaves renewing to the holder
     * @param recipient who is told of the lease
     */
    public record Terms(Duration ttl, Optional<Duration> maxHold, Recipient recipient) {
        public static Terms of(Duration ttl) {
            return new Terms(ttl, Optional.empty(), Recipient.CALLER);
        }
    }

    /** Who is told of the lease that a request ends with. */
    public enum Recipient {
        /** A caller, who relies on it from then on. */
        CALLER,
        /** A part of this service, which renews the lease once more before any caller is told. */
        SERVICE
    }

    /**
     * @param since when it arrived
     * @param until when it gives up; from then on it is granted nothing
     * @param arriving whether it has just come, and not only looks again: then it takes over the place of the same
     *     request asked before
     * @param presence the word of the replica at which it waits
     */
    public record QueueEntry(Instant since, Instant until, boolean arriving, Presence presence) {}

    /**
     * @param seen the record as it was a moment ago. A store may refuse by it, and never grants by it alone
     * @param unchangedForTtl a lease that was watched, unchanged, for longer than it lasts
     */
    public record Observation(Optional<LockRecord> seen, Optional<Lease> unchangedForTtl) {
        public static final Observation NONE = new Observation(Optional.empty(), Optional.empty());
    }

    /** Asks once. */
    public static AcquireRequest once(LeaseRef ref, Duration ttl, Labels labels) {
        return once(ref, AttemptId.random(), Terms.of(ttl), labels);
    }

    public static AcquireRequest once(LeaseRef ref, AttemptId attempt, Terms terms, Labels labels) {
        return new AcquireRequest(ref, attempt, terms, labels, Optional.empty(), Observation.NONE);
    }

    public AcquireRequest with(Observation newObservation) {
        return new AcquireRequest(ref, attempt, terms, labels, queueEntry, newObservation);
    }

    /** As it is asked by somebody new who waits. */
    public AcquireRequest arriving(Instant since, Instant until, Presence presence) {
        return entering(new QueueEntry(since, until, true, presence));
    }

    public AcquireRequest askingAgain(Presence presence) {
        var before = queueEntry.orElseThrow();
        return entering(new QueueEntry(before.since(), before.until(), false, presence));
    }

    private AcquireRequest entering(QueueEntry newEntry) {
        return new AcquireRequest(ref, attempt, terms, labels, Optional.of(newEntry), observation);
    }

    public LockName name() {
        return ref.name();
    }

    public LockId id() {
        return ref.id();
    }

    public Owner owner() {
        return ref.owner();
    }

    public Duration ttl() {
        return terms.ttl();
    }

    boolean tellsCaller() {
        return terms.recipient() == Recipient.CALLER;
    }

    /** Whether it has waited for a while, and not just come. */
    boolean asksAgain() {
        return queueEntry.filter(waiting -> !waiting.arriving()).isPresent();
    }

    /** Whether it has waited long enough; from then on it is granted nothing. */
    public boolean overdueAt(Instant now) {
        return queueEntry.filter(waiting -> !now.isBefore(waiting.until())).isPresent();
    }

    public Lease leaseAt(Instant now, FencingToken token) {
        var term =
                Lease.Term.startingAt(now, ttl()).renewedUntil(terms.maxHold().map(now::plus));
        return new Lease(ref.name(), ref.id(), ref.owner(), token, term, labels);
    }
}
