package io.holdfast.lock.port;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.model.Ticket;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireOutcome.AlreadyHeld;
import io.holdfast.lock.port.AcquireOutcome.ClosedUntil;
import io.holdfast.lock.port.AcquireOutcome.GaveUp;
import io.holdfast.lock.port.AcquireOutcome.Granted;
import io.holdfast.lock.port.AcquireOutcome.QueueFull;
import io.holdfast.lock.port.AcquireOutcome.Queued;
import io.holdfast.lock.port.AcquireOutcome.ReservedForQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The rules of acquire, renew, release and purge that every store applies. Pure functions: the input is the stored
 * record and the time, the result is the answer and the record to store.
 *
 * @param maxClockSkew the largest difference between the clocks of two replicas; a takeover waits this much longer
 * @param tombstoneRetention how long a record outlives its lease
 * @param queueMax the most waiters of one lock
 * @param takeovers whether this replica may treat leases as expired; false while its clock is suspect
 * @param tokenFloor the first token of a lock without a record is higher than this
 */
public record LockRules(
        Duration maxClockSkew, Duration tombstoneRetention, int queueMax, boolean takeovers, long tokenFloor) {
    /** The setting that bounds the queue of one lock. */
    public static final String QUEUE_MAX = "holdfast.wait.queue-max";

    /** The longest delay of a request on its way to a store. */
    public static final Duration LATE_MAX = Duration.ofMinutes(1);

    /** @param write the record to store in place of the old one; if absent, nothing is written */
    public record Decision<O>(O outcome, Optional<LockRecord> write) {
        public static <O> Decision<O> refuse(O outcome) {
            return new Decision<>(outcome, Optional.empty());
        }

        static <O> Decision<O> store(LockRecord record, O outcome) {
            return new Decision<>(outcome, Optional.of(record));
        }
    }

    public LockRules(Duration maxClockSkew, Duration tombstoneRetention, int queueMax, boolean takeovers) {
        this(maxClockSkew, tombstoneRetention, queueMax, takeovers, 0);
    }

    public LockRules withoutTakeovers() {
        return new LockRules(maxClockSkew, tombstoneRetention, queueMax, false, tokenFloor);
    }

    public LockRules withTokensAbove(long floor) {
        return new LockRules(maxClockSkew, tombstoneRetention, queueMax, takeovers, floor);
    }

    public Decision<AcquireOutcome> acquire(Optional<LockRecord> current, AcquireRequest request, Instant now) {
        if (request.overdueAt(now)
                && current.filter(record -> isHeldBy(record, request, now)).isEmpty()) {
            return Decision.refuse(new GaveUp(request.name(), current));
        }
        if (current.isEmpty()) {
            return grant(request, firstToken(now), WaitQueue.EMPTY, current, now);
        }
        var record = current.get();
        if (isHeldBy(record, request, now)) {
            return alreadyYours(record, request, now);
        }
        var queue = queueAt(record, now);
        var place = queue.placeOf(request.ref()).orElse(queue.size());
        var obstacle = obstacle(record, request, now);
        if (obstacle.isEmpty() && place == 0 && !isReplacedIn(queue, request)) {
            var rest = queue.placeOf(request.ref()).isPresent() ? queue.without(request.ref()) : WaitQueue.EMPTY;
            return grant(request, record.token().next(), rest, current, now);
        }
        return request.queueEntry()
                .map(entry -> join(record.with(queue), request, entry))
                .orElseGet(() -> Decision.refuse(obstacle.orElse(new ReservedForQueue(record, queue.size()))));
    }

    /** While the local clock is suspect, expired tickets keep their place. */
    private WaitQueue queueAt(LockRecord record, Instant now) {
        return takeovers ? record.queue().aliveAt(now) : record.queue();
    }

    /** Whether a later attempt of the same request has taken over the ticket of this one. */
    private static boolean isReplacedIn(WaitQueue queue, AcquireRequest request) {
        return request.asksAgain()
                && queue.placeOf(request.ref()).isPresent()
                && queue.placeOf(request.ref(), request.attempt()).orElse(-1)
                        != queue.placeOf(request.ref()).getAsInt();
    }

    /**
     * The lease moves to the attempt that is answered with it, so the clean-up of an older attempt cannot end it. A
     * request that has waited is older than the attempt that was granted the lease meanwhile. If its caller is answered
     * with the lease, the lease is shared from then on.
     */
    private Decision<AcquireOutcome> alreadyYours(LockRecord record, AcquireRequest request, Instant now) {
        var lease = record.lease();
        if (record.attempts().onlyOf(request.attempt())) {
            // The store was asked twice for this attempt: the lock had been granted, and only the answer was lost.
            return Decision.refuse(new Granted(lease, Optional.empty()));
        }
        if (record.attempts().current().equals(request.attempt())) {
            return Decision.refuse(new AlreadyHeld(lease, record.waitingAt(now)));
        }
        // Other replicas may observe whether a lease from the future changes, so an answer with it must change it.
        var adopted = lease.adoptedBy(request.owner());
        var answered = clock().isGrantedInFuture(lease, now) ? adopted.touched() : adopted;
        var updated = record.renewed(answered);
        var older = request.asksAgain()
                || clock().isOvertaken(lease, now)
                || record.attempts().grantedTo().equals(request.attempt());
        var decided = older ? answeredToOlder(updated, request) : updated.movedTo(request.attempt());
        var yours = new AlreadyHeld(answered, record.waitingAt(now));
        return decided.equals(record) ? Decision.refuse(yours) : Decision.store(decided, yours);
    }

    private static LockRecord answeredToOlder(LockRecord record, AcquireRequest request) {
        return request.isForCaller() ? record.shared() : record;
    }

    /** Why the lock cannot be granted, apart from the queue. */
    private Optional<AcquireOutcome> obstacle(LockRecord record, AcquireRequest request, Instant now) {
        if (record.end().isPresent()) {
            return clock().closedUntil(record.end().get(), now).map(until -> new ClosedUntil(record, until));
        }
        var lease = record.lease();
        // A lease of the same owner has expired: acquire() has answered an unexpired one before.
        var free = isOwners(lease, request)
                || clock().isExpiredBeyondSkew(lease, now)
                || isUnchangedForTtl(lease, request);
        return free
                ? Optional.empty()
                : Optional.of(new AcquireOutcome.HeldByAnother(
                        lease, record.waitingAt(now), record.isHeldByConnectionAt(now)));
    }

    /** A repeated request keeps its place in the queue, and gets the new deadline. */
    private Decision<AcquireOutcome> join(LockRecord record, AcquireRequest request, AcquireRequest.QueueEntry entry) {
        var queue = record.queue();
        var replica = entry.presence().replica();
        var ticket =
                new Ticket(request.id(), request.owner(), request.attempt(), replica, entry.since(), entry.until());
        var place = queue.placeOf(request.ref());
        if (place.isPresent()) {
            var same = queue.tickets().get(place.getAsInt()).attempt().equals(request.attempt());
            if (same || !entry.arriving()) {
                return Decision.refuse(new Queued(record, place.getAsInt()));
            }
            var again = record.with(queue.replaced(place.getAsInt(), ticket).with(entry.presence()));
            return Decision.store(again, new Queued(again, place.getAsInt()));
        }
        if (queue.size() >= queueMax) {
            return Decision.refuse(new QueueFull(record.name(), queue.size(), QUEUE_MAX));
        }
        var longer = record.with(queue.with(ticket).with(entry.presence()));
        return Decision.store(longer, new Queued(longer, queue.size()));
    }

    /** Confirms all tickets of a replica. Writes nothing if it has none. */
    public Decision<Optional<LockRecord>> confirmTickets(Optional<LockRecord> current, Presence presence) {
        var waiting = current.filter(record -> record.queue().hasTicketsOf(presence.replica()));
        return waiting.map(record -> record.with(record.queue().with(presence)))
                .map(changed -> Decision.store(changed, Optional.of(changed)))
                .orElseGet(() -> Decision.refuse(current));
    }

    /** Removes the tickets of replicas that are gone. A replica that has confirmed its tickets meanwhile keeps them. */
    public Decision<Optional<LockRecord>> evict(Optional<LockRecord> current, List<Presence> gone) {
        var affected = current.filter(record -> record.queue().evicted(gone) != record.queue());
        return affected.map(record -> record.with(record.queue().evicted(gone)))
                .map(changed -> Decision.store(changed, Optional.of(changed)))
                .orElseGet(() -> Decision.refuse(current));
    }

    /** Removes the ticket of an attempt, or releases its lease if no other attempt was answered with it. */
    public Decision<WithdrawOutcome> withdraw(
            Optional<LockRecord> current, LeaseRef ref, AttemptId attempt, Instant now) {
        if (current.isEmpty()) {
            return Decision.refuse(new WithdrawOutcome.NotThere());
        }
        var record = current.get();
        if (record.end().isEmpty()
                && record.attempts().onlyOf(attempt)
                && record.lease().is(ref)) {
            return Decision.store(record.endedAt(now), new WithdrawOutcome.Released(record.lease()));
        }
        var place = record.queue().placeOf(ref, attempt);
        return place.isPresent()
                ? Decision.store(record.with(record.queue().without(place.getAsInt())), new WithdrawOutcome.LeftQueue())
                : Decision.refuse(new WithdrawOutcome.NotThere());
    }

    /** Always increments {@code renewals}, so other replicas can tell that the lease is in use. */
    public Decision<RenewOutcome> renew(Optional<LockRecord> current, LeaseClaim claim, Renewal renewal, Instant now) {
        var open = current.filter(record -> record.end().isEmpty())
                .filter(record -> !clock().isExpired(record.lease(), now));
        if (open.filter(record -> claim.names(record.lease())).isEmpty()) {
            var ended = open.isPresent() ? Optional.<LockRecord>empty() : current;
            return Decision.refuse(new RenewOutcome.NotHeld(open.map(LockRecord::lease), ended));
        }
        var record = open.get();
        if (claim.isSupersededIn(record)) {
            return Decision.refuse(new RenewOutcome.Superseded(record.lease()));
        }
        var lease = record.lease();
        var renewed = lease.adoptedBy(claim.ref().owner())
                .renewedAt(now, renewal.ttl().orElse(lease.term().ttl()));
        var stored = record.renewed(renewed);
        var overtaken = clock().isOvertaken(lease, now);
        return Decision.store(
                renewal.attempt()
                        .map(attempt -> overtaken ? stored.shared() : stored.movedTo(attempt))
                        .orElse(stored),
                new RenewOutcome.Renewed(renewed, record.waitingAt(now)));
    }

    public Decision<ReleaseOutcome> release(Optional<LockRecord> current, LeaseClaim claim, Instant now) {
        var open = current.filter(record -> record.end().isEmpty());
        if (open.isEmpty()) {
            return Decision.refuse(new ReleaseOutcome.AlreadyGone());
        }
        var record = open.get();
        var lease = record.lease();
        if (!claim.names(lease)) {
            return Decision.refuse(
                    clock().isExpired(lease, now)
                            ? new ReleaseOutcome.AlreadyGone()
                            : new ReleaseOutcome.HeldByAnother(lease));
        }
        return claim.isReliedOnElsewhere(record)
                ? Decision.refuse(new ReleaseOutcome.Superseded(lease))
                : Decision.store(record.endedAt(now), new ReleaseOutcome.Released(lease, record.queue()));
    }

    public Decision<ForceReleaseOutcome> forceRelease(Optional<LockRecord> current, ForceRelease force, Instant now) {
        if (current.isEmpty()) {
            return Decision.refuse(new ForceReleaseOutcome.NoSuchLock());
        }
        var record = current.get();
        if (!force.allows(record.lease())) {
            return Decision.refuse(new ForceReleaseOutcome.BelongsToAnother(record));
        }
        if (!record.token().equals(force.seen())) {
            return Decision.refuse(new ForceReleaseOutcome.TokenChanged(record));
        }
        if (record.end().isPresent()) {
            return Decision.refuse(new ForceReleaseOutcome.AlreadyFree(record));
        }
        var forced = record.forcedAt(now, force);
        return Decision.store(forced, new ForceReleaseOutcome.Freed(Optional.of(record.lease()), forced.token()));
    }

    /** Whether the record may be purged: its retention is over, and it has no waiters. */
    public boolean expendable(LockRecord record, Instant now) {
        return purgeableAt(record).isBefore(now) && record.queue().aliveAt(now).isEmpty();
    }

    /**
     * After the retention, and after every clock within the skew has passed the time of the record's token. The first
     * token of the lock's next record is taken from the clock, and it must be higher.
     */
    public Instant purgeableAt(LockRecord record) {
        var retained = record.idleSince().plus(tombstoneRetention);
        var passed = record.token().passedAt().plus(maxClockSkew);
        return retained.isAfter(passed) ? retained : passed;
    }

    private FencingToken firstToken(Instant now) {
        var first = FencingToken.firstAt(now);
        return first.value() > tokenFloor ? first : new FencingToken(tokenFloor).next();
    }

    private ClockRules clock() {
        return new ClockRules(maxClockSkew, takeovers);
    }

    /**
     * Whether this replica has observed the lease unchanged for its TTL. It has expired then, even if its end is later.
     */
    private boolean isUnchangedForTtl(Lease lease, AcquireRequest request) {
        return takeovers
                && request.observation().unchangedForTtl().filter(lease::equals).isPresent();
    }

    private boolean isHeldBy(LockRecord record, AcquireRequest request, Instant now) {
        return record.end().isEmpty() && isOwners(record.lease(), request) && !clock().isExpired(record.lease(), now);
    }

    private static boolean isOwners(Lease lease, AcquireRequest request) {
        return lease.owner().isSameAs(request.owner());
    }

    private static Decision<AcquireOutcome> grant(
            AcquireRequest request, FencingToken token, WaitQueue queue, Optional<LockRecord> replaced, Instant now) {
        var lease = request.leaseAt(now, token);
        var attempts = LockRecord.Attempts.grantedTo(request.attempt());
        var record = new LockRecord(lease, token, Optional.empty(), queue, attempts);
        return Decision.store(record, new Granted(lease, replaced));
    }
}
