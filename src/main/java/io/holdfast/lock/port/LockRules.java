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
import io.holdfast.lock.port.AcquireOutcome.AlreadyYours;
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
 * Who gets a lock, who keeps it, and when its record may go: the rules that every store obeys. Pure: what is stored and
 * what time it is come in, what to answer and what to store instead come out.
 *
 * @param maxClockSkew how far the clocks of two replicas may lie apart; a takeover waits that much longer
 * @param tombstoneRetention how long a record outlives its lease
 * @param queueMax how many may stand in line for one lock
 * @param takeovers whether this replica may judge that a lease has expired; not while its clock is known to be wrong
 * @param tokenFloor a lock without a record is granted with a token above this one
 */
public record LockRules(
        Duration maxClockSkew, Duration tombstoneRetention, int queueMax, boolean takeovers, long tokenFloor) {
    /** The setting that bounds the queue of one lock. */
    public static final String QUEUE_MAX = "holdfast.wait.queue-max";

    /** Longer than any request is held up on its way to a store. */
    public static final Duration LATE_MAX = Duration.ofMinutes(1);

    /** What to answer, and the record to store in place of the old one; none leaves it as it is. */
    public record Decision<O>(O outcome, Optional<LockRecord> write) {
        public static <O> Decision<O> refuse(O outcome) {
            return new Decision<>(outcome, Optional.empty());
        }

        static <O> Decision<O> store(LockRecord record, O outcome) {
            return new Decision<>(outcome, Optional.of(record));
        }
    }

    public LockRules(Duration maxClockSkew, Duration tombstoneRetention, int waitersMax, boolean takeovers) {
        this(maxClockSkew, tombstoneRetention, waitersMax, takeovers, 0);
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
                .map(visit -> join(record.with(queue), request, visit))
                .orElseGet(() -> Decision.refuse(obstacle.orElse(new ReservedForQueue(record, queue.size()))));
    }

    /** While the local clock is suspect, expired tickets keep their place. */
    private WaitQueue queueAt(LockRecord record, Instant now) {
        return takeovers ? record.queue().aliveAt(now) : record.queue();
    }

    /** Whether a later attempt of the same request has taken over the place that this one looks after. */
    private static boolean isReplacedIn(WaitQueue queue, AcquireRequest request) {
        return request.asksAgain()
                && queue.placeOf(request.ref()).isPresent()
                && queue.placeOf(request.ref(), request.attempt()).orElse(-1)
                        != queue.placeOf(request.ref()).getAsInt();
    }

    /**
     * The lease moves to the attempt that is told of it, so nothing that an older attempt leaves behind can end it. A
     * request that has waited is the older attempt: another one was granted the lease meanwhile, and keeps it. If a caller
     * is told of the lease for the older attempt, the lease is shared from then on.
     */
    private Decision<AcquireOutcome> alreadyYours(LockRecord record, AcquireRequest request, Instant now) {
        var lease = record.lease();
        if (record.attempts().onlyOf(request.attempt())) {
            // The store was asked twice for this very attempt: it had been granted, and only the answer was lost.
            return Decision.refuse(new Granted(lease, Optional.empty()));
        }
        if (record.attempts().current().equals(request.attempt())) {
            return Decision.refuse(new AlreadyYours(lease, record.waitingAt(now)));
        }
        var promised = grantedByAWildClock(lease, now) ? lease.touched() : lease;
        var told = record.renewed(promised);
        var earlier = request.asksAgain()
                || isOvertaken(lease, now)
                || record.attempts().grantedTo().equals(request.attempt());
        var decided = earlier ? toldToOlder(told, request) : told.movedTo(request.attempt());
        var yours = new AlreadyYours(promised, record.waitingAt(now));
        return decided.equals(record) ? Decision.refuse(yours) : Decision.store(decided, yours);
    }

    private static LockRecord toldToOlder(LockRecord record, AcquireRequest request) {
        return request.tellsCaller() ? record.shared() : record;
    }

    /** Whether the lease was renewed after this request was made, which was then held up on its way: see {@link #LATE_MAX}. */
    private boolean isOvertaken(Lease lease, Instant now) {
        return grantedByAWildClock(lease, now)
                && !now.plus(LATE_MAX).isBefore(lease.term().grantedAt());
    }

    /**
     * Whether the lease was granted at a time that has not come yet. Whoever is told that it goes on must then leave a
     * trace in it: others may be watching whether it is ever touched.
     */
    private boolean grantedByAWildClock(Lease lease, Instant now) {
        return lease.term().grantedAt().isAfter(now.plus(maxClockSkew));
    }

    /** Who or what is in the way, apart from those who came before. */
    private Optional<AcquireOutcome> obstacle(LockRecord record, AcquireRequest request, Instant now) {
        if (record.end().isPresent()) {
            return closedUntil(record.end().get(), now).map(until -> new ClosedUntil(record, until));
        }
        var lease = record.lease();
        // The owner's own lease stands in nobody's way: an unexpired one was handed out before this is asked.
        var free = isOwners(lease, request) || expiredBeyondSkew(lease, now) || unchangedForTtl(lease, request);
        return free
                ? Optional.empty()
                : Optional.of(new AcquireOutcome.HeldByAnother(
                        lease, record.waitingAt(now), record.isHeldByConnectionAt(now)));
    }

    /** Who asks again keeps the place, and waits until the new deadline. */
    private Decision<AcquireOutcome> join(LockRecord record, AcquireRequest request, AcquireRequest.QueueEntry visit) {
        var queue = record.queue();
        var replica = visit.presence().replica();
        var ticket =
                new Ticket(request.id(), request.owner(), request.attempt(), replica, visit.since(), visit.until());
        var place = queue.placeOf(request.ref());
        if (place.isPresent()) {
            var same = queue.tickets().get(place.getAsInt()).attempt().equals(request.attempt());
            if (same || !visit.arriving()) {
                return Decision.refuse(new Queued(record, place.getAsInt()));
            }
            var again = record.with(queue.replaced(place.getAsInt(), ticket).with(visit.presence()));
            return Decision.store(again, new Queued(again, place.getAsInt()));
        }
        if (queue.size() >= queueMax) {
            return Decision.refuse(new QueueFull(record.name(), queue.size(), QUEUE_MAX));
        }
        var longer = record.with(queue.with(ticket).with(visit.presence()));
        return Decision.store(longer, new Queued(longer, queue.size()));
    }

    /** Confirms all tickets of a replica; refused if it has none, because then nothing depends on it. */
    public Decision<Optional<LockRecord>> confirmTickets(Optional<LockRecord> current, Presence presence) {
        var waiting = current.filter(record -> record.queue().hasTicketsOf(presence.replica()));
        return waiting.map(record -> record.with(record.queue().with(presence)))
                .map(kept -> Decision.store(kept, Optional.of(kept)))
                .orElseGet(() -> Decision.refuse(current));
    }

    /** Removes the tickets of replicas that are gone. A replica that has confirmed its tickets meanwhile keeps them. */
    public Decision<Optional<LockRecord>> evict(Optional<LockRecord> current, List<Presence> gone) {
        var changed = current.filter(record -> record.queue().evicted(gone) != record.queue());
        return changed.map(record -> record.with(record.queue().evicted(gone)))
                .map(kept -> Decision.store(kept, Optional.of(kept)))
                .orElseGet(() -> Decision.refuse(current));
    }

    /** Takes back what an attempt left behind: its ticket, or its lease if no other attempt knows of it. */
    public Decision<WithdrawOutcome> withdraw(
            Optional<LockRecord> current, LeaseRef ref, AttemptId attempt, Instant now) {
        if (current.isEmpty()) {
            return Decision.refuse(new WithdrawOutcome.NotThere());
        }
        var record = current.get();
        if (record.end().isEmpty()
                && record.attempts().onlyOf(attempt)
                && record.lease().is(ref)) {
            return Decision.store(record.endedAt(now), new WithdrawOutcome.GaveBack(record.lease()));
        }
        var place = record.queue().placeOf(ref, attempt);
        return place.isPresent()
                ? Decision.store(record.with(record.queue().without(place.getAsInt())), new WithdrawOutcome.LeftLine())
                : Decision.refuse(new WithdrawOutcome.NotThere());
    }

    /** Always increments {@code renewals}, so other replicas can tell that the lease is in use. */
    public Decision<RenewOutcome> renew(Optional<LockRecord> current, LeaseClaim claim, Renewal renewal, Instant now) {
        var open = current.filter(record -> record.end().isEmpty()).filter(record -> !expired(record.lease(), now));
        if (open.filter(record -> claim.names(record.lease())).isEmpty()) {
            var ended = open.isPresent() ? Optional.<LockRecord>empty() : current;
            return Decision.refuse(new RenewOutcome.NotHeld(open.map(LockRecord::lease), ended));
        }
        var record = open.get();
        if (claim.isSupersededIn(record)) {
            return Decision.refuse(new RenewOutcome.Superseded(record.lease()));
        }
        var lease = record.lease();
        var renewed = lease.renewedAt(now, renewal.ttl().orElse(lease.term().ttl()));
        var stored = record.renewed(renewed);
        var overtaken = isOvertaken(lease, now);
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
                    expired(lease, now) ? new ReleaseOutcome.AlreadyGone() : new ReleaseOutcome.HeldByAnother(lease));
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
        if (!record.token().equals(force.seen())) {
            return Decision.refuse(new ForceReleaseOutcome.TokenChanged(record));
        }
        if (record.end().isPresent()) {
            return Decision.refuse(new ForceReleaseOutcome.AlreadyFree(record));
        }
        var forced = record.forcedAt(now, force);
        return Decision.store(forced, new ForceReleaseOutcome.Freed(Optional.of(record.lease()), forced.token()));
    }

    /** Whether the record has been of no use to anybody for the whole retention. */
    public boolean expendable(LockRecord record, Instant now) {
        return purgeableAt(record).isBefore(now) && record.queue().aliveAt(now).isEmpty();
    }

    /**
     * Not before the retention is over, and not before the time has passed the record's token by every clock within the
     * skew: the lock's next record starts at the time, and its token must be higher.
     */
    public Instant purgeableAt(LockRecord record) {
        var retained = record.idleSince().plus(tombstoneRetention);
        var passed = record.token().passedAt().plus(maxClockSkew);
        return retained.isAfter(passed) ? retained : passed;
    }

    /**
     * Until when an ended lease's lock may not be taken, if so. A request from before the end is one that was held up on
     * its way and given up by whoever sent it. Within the skew it may as well come from a clock that is behind; and if
     * the end lies further ahead than any request is held up, it is the clock that was set back.
     */
    private Optional<Instant> closedUntil(LockRecord.End end, Instant now) {
        if (end.closedUntil().isPresent()) {
            return end.closedUntil().filter(now::isBefore);
        }
        var openAt = end.at().minus(maxClockSkew);
        var late = now.isBefore(openAt) && !now.plus(LATE_MAX).isBefore(end.at());
        return late ? Optional.of(openAt) : Optional.empty();
    }

    private FencingToken firstToken(Instant now) {
        var first = FencingToken.firstAt(now);
        return first.value() > tokenFloor ? first : new FencingToken(tokenFloor).next();
    }

    /** A replica whose clock is known to be wrong takes no lease for expired. */
    private boolean expired(Lease lease, Instant now) {
        return takeovers && lease.expiredAt(now);
    }

    /** Expired by every clock that is within the allowed skew of this one. */
    private boolean expiredBeyondSkew(Lease lease, Instant now) {
        return takeovers && lease.expiresAt().plus(maxClockSkew).isBefore(now);
    }

    /** Watched for longer than it lasts: dead, whatever time it says it ends. */
    private boolean unchangedForTtl(Lease lease, AcquireRequest request) {
        return takeovers
                && request.observation().unchangedForTtl().filter(lease::equals).isPresent();
    }

    private boolean isHeldBy(LockRecord record, AcquireRequest request, Instant now) {
        return record.end().isEmpty() && isOwners(record.lease(), request) && !expired(record.lease(), now);
    }

    private static boolean isOwners(Lease lease, AcquireRequest request) {
        return lease.owner().equals(request.owner());
    }

    private static Decision<AcquireOutcome> grant(
            AcquireRequest request, FencingToken token, WaitQueue queue, Optional<LockRecord> replaced, Instant now) {
        var lease = request.leaseAt(now, token);
        var attempts = LockRecord.Attempts.grantedTo(request.attempt());
        var record = new LockRecord(lease, token, Optional.empty(), queue, attempts);
        return Decision.store(record, new Granted(lease, replaced));
    }
}
