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
 * A request for a lock, as a store gets it. The reference makes it safe to repeat.
 *
 * @param attempt identifies this request; if the caller repeats it, the repetition is another attempt
 * @param queueEntry how the request queues if the lock is not free; if absent, it does not queue
 * @param observation what this replica knows of the lock
 */
public record AcquireRequest(
        LeaseRef ref,
        AttemptId attempt,
        Terms terms,
        Labels labels,
        Optional<QueueEntry> queueEntry,
        Observation observation) {

    /**
     * @param maxHold how long the service renews the lease; if absent, the holder renews it
     * @param recipient who gets the lease as an answer
     */
    public record Terms(Duration ttl, Optional<Duration> maxHold, Recipient recipient) {
        public static Terms of(Duration ttl) {
            return new Terms(ttl, Optional.empty(), Recipient.CALLER);
        }
    }

    public enum Recipient {
        /** A caller, which relies on the lease from then on. */
        CALLER,
        /** A component of this service, which renews the lease before it reports the lease to a caller. */
        SERVICE
    }

    /**
     * @param since when the request arrived
     * @param until when the wait ends; from then on the lock is not granted to it
     * @param arriving whether this is the first try of the attempt. It takes over the ticket of an earlier attempt of
     *     the same request
     * @param presence the confirmation of the replica at which it waits
     */
    public record QueueEntry(Instant since, Instant until, boolean arriving, Presence presence) {}

    /**
     * @param seen the record as it was read last. A store may refuse because of it, but never grants because of it
     *     alone
     * @param unchangedForTtl a lease that this replica has observed unchanged for longer than its TTL
     */
    public record Observation(Optional<LockRecord> seen, Optional<Lease> unchangedForTtl) {
        public static final Observation NONE = new Observation(Optional.empty(), Optional.empty());
    }

    /** A request that does not queue. */
    public static AcquireRequest once(LeaseRef ref, Duration ttl, Labels labels) {
        return once(ref, AttemptId.random(), Terms.of(ttl), labels);
    }

    public static AcquireRequest once(LeaseRef ref, AttemptId attempt, Terms terms, Labels labels) {
        return new AcquireRequest(ref, attempt, terms, labels, Optional.empty(), Observation.NONE);
    }

    public AcquireRequest with(Observation newObservation) {
        return new AcquireRequest(ref, attempt, terms, labels, queueEntry, newObservation);
    }

    /** The first try of an attempt that queues. */
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

    boolean isForCaller() {
        return terms.recipient() == Recipient.CALLER;
    }

    /** Whether this is a further try of an attempt that has waited. */
    boolean asksAgain() {
        return queueEntry.filter(waiting -> !waiting.arriving()).isPresent();
    }

    /** Whether its wait is over; from then on the lock is not granted to it. */
    public boolean overdueAt(Instant now) {
        return queueEntry.filter(waiting -> !now.isBefore(waiting.until())).isPresent();
    }

    public Lease leaseAt(Instant now, FencingToken token) {
        var term =
                Lease.Term.startingAt(now, ttl()).renewedUntil(terms.maxHold().map(now::plus));
        return new Lease(ref.name(), ref.id(), ref.owner(), token, term, labels);
    }
}
