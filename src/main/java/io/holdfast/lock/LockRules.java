package io.holdfast.lock;

import io.holdfast.lock.AcquireOutcome.AlreadyYours;
import io.holdfast.lock.AcquireOutcome.ClosedUntil;
import io.holdfast.lock.AcquireOutcome.GaveUp;
import io.holdfast.lock.AcquireOutcome.Granted;
import io.holdfast.lock.AcquireOutcome.InLine;
import io.holdfast.lock.AcquireOutcome.KeptForLine;
import io.holdfast.lock.AcquireOutcome.LineFull;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Who gets a lock, who keeps it, and when its record may go: the rules that every store obeys. Pure: what is stored and
 * what time it is come in, what to answer and what to store instead come out.
 *
 * @param maxClockSkew how far the clocks of two replicas may lie apart; a takeover waits that much longer
 * @param tombstoneRetention how long a record outlives its lease
 * @param waitersMax how many may stand in line for one lock
 * @param takeovers whether expired leases may be taken over; not while this replica's clock is known to be wrong
 */
public record LockRules(Duration maxClockSkew, Duration tombstoneRetention, int waitersMax, boolean takeovers) {
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

    public LockRules withoutTakeovers() {
        return new LockRules(maxClockSkew, tombstoneRetention, waitersMax, false);
    }

    public Decision<AcquireOutcome> acquire(Optional<LockRecord> current, AcquireRequest request, Instant now) {
        if (request.overdueAt(now)) {
            return Decision.refuse(new GaveUp(request.name(), current));
        }
        if (current.isEmpty()) {
            return grant(request, FencingToken.firstAt(now), Line.EMPTY, current, now);
        }
        var record = current.get();
        if (record.end().isEmpty()
                && isOwners(record.lease(), request)
                && !record.lease().expiredAt(now)) {
            return alreadyYours(record, request, now);
        }
        var line = lineAt(record, now);
        var place = line.placeOf(request.ref()).orElse(line.size());
        var obstacle = obstacle(record, request, now);
        if (obstacle.isEmpty() && place == 0) {
            return grant(request, record.token().next(), line.without(request.ref()), current, now);
        }
        return request.visit()
                .map(visit -> join(record.with(line), request, visit))
                .orElseGet(() -> Decision.refuse(obstacle.orElse(new KeptForLine(record, line.size()))));
    }

    /** A clock that is known to be wrong passes nobody by. */
    private Line lineAt(LockRecord record, Instant now) {
        return takeovers ? record.line().aliveAt(now) : record.line();
    }

    private Decision<AcquireOutcome> alreadyYours(LockRecord record, AcquireRequest request, Instant now) {
        var lease = record.lease();
        if (lease.is(request.ref())
                && request.visit()
                        .map(AcquireRequest.Visit::asker)
                        .filter(record::isUnclaimedBy)
                        .isPresent()) {
            // An earlier attempt of this very request had succeeded, and only its answer was lost.
            return Decision.refuse(new Granted(lease, Optional.empty()));
        }
        var promised = grantedByAWildClock(lease, now) ? lease.touched() : lease;
        var yours = new AlreadyYours(promised, record.waitingAt(now));
        return record.unclaimed().isPresent() || !promised.equals(lease)
                ? Decision.store(record.renewed(promised), yours)
                : Decision.refuse(yours);
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
        var free = isOwners(lease, request) || abandoned(lease, now) || outlasted(lease, request);
        return free ? Optional.empty() : Optional.of(new AcquireOutcome.HeldByAnother(lease, record.waitingAt(now)));
    }

    /** Who asks again keeps the place, and waits until the new deadline. */
    private Decision<AcquireOutcome> join(LockRecord record, AcquireRequest request, AcquireRequest.Visit visit) {
        var line = record.line();
        var ticket = new Ticket(request.id(), request.owner(), visit.asker(), visit.since(), visit.until());
        var place = line.placeOf(request.ref());
        if (place.isPresent()) {
            var same = line.tickets().get(place.getAsInt()).asker().equals(visit.asker());
            if (same || !visit.arriving()) {
                return Decision.refuse(new InLine(record, place.getAsInt()));
            }
            var again = record.with(line.replaced(place.getAsInt(), ticket));
            return Decision.store(again, new InLine(again, place.getAsInt()));
        }
        if (line.size() >= waitersMax) {
            return Decision.refuse(new LineFull(record.name(), line.size(), WaitConfig.LINE_MAX));
        }
        var longer = record.with(line.with(ticket));
        return Decision.store(longer, new InLine(longer, line.size()));
    }

    /** Takes back what an asker who is gone left behind: its ticket, or its lease if nobody heard of it. */
    public Decision<WithdrawOutcome> withdraw(Optional<LockRecord> current, LeaseRef ref, Asker asker, Instant now) {
        if (current.isEmpty()) {
            return Decision.refuse(new WithdrawOutcome.NotThere());
        }
        var record = current.get();
        if (record.end().isEmpty()
                && record.isUnclaimedBy(asker)
                && record.lease().is(ref)) {
            return Decision.store(record.endedAt(now), new WithdrawOutcome.GaveBack(record.lease()));
        }
        var place = record.line().placeOf(ref, asker);
        return place.isPresent()
                ? Decision.store(record.with(record.line().without(place.getAsInt())), new WithdrawOutcome.LeftLine())
                : Decision.refuse(new WithdrawOutcome.NotThere());
    }

    /** Always leaves a trace: who else knows the lease must see that somebody goes on with it. */
    public Decision<RenewOutcome> renew(
            Optional<LockRecord> current, LeaseRef ref, Optional<Duration> ttl, Instant now) {
        var open = current.filter(record -> record.end().isEmpty());
        var held = open.map(LockRecord::lease);
        var mine = held.filter(lease -> lease.is(ref) && !lease.expiredAt(now));
        if (mine.isEmpty()) {
            return Decision.refuse(new RenewOutcome.NotHeld(held.filter(lease -> !lease.expiredAt(now))));
        }
        var renewed = mine.get().renewedAt(now, ttl.orElse(mine.get().term().ttl()));
        return Decision.store(
                open.get().renewed(renewed),
                new RenewOutcome.Renewed(renewed, open.get().waitingAt(now)));
    }

    public Decision<ReleaseOutcome> release(Optional<LockRecord> current, LeaseRef ref, Instant now) {
        var open = current.filter(record -> record.end().isEmpty());
        if (open.isEmpty()) {
            return Decision.refuse(new ReleaseOutcome.AlreadyGone());
        }
        var lease = open.get().lease();
        if (lease.is(ref)) {
            return Decision.store(
                    open.get().endedAt(now),
                    new ReleaseOutcome.Released(lease, open.get().line()));
        }
        return Decision.refuse(
                lease.expiredAt(now) ? new ReleaseOutcome.AlreadyGone() : new ReleaseOutcome.HeldByAnother(lease));
    }

    /** Gives back a lease that nobody has touched since it was seen. */
    public Decision<ReleaseOutcome> giveBack(Optional<LockRecord> current, Lease seen, Instant now) {
        var touched = current.filter(record -> record.end().isEmpty())
                .map(LockRecord::lease)
                .filter(lease -> lease.is(seen.ref()) && !lease.equals(seen));
        return touched.isPresent()
                ? Decision.refuse(new ReleaseOutcome.HeldByAnother(touched.get()))
                : release(current, seen.ref(), now);
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
        return Decision.store(forced, new ForceReleaseOutcome.Freed(record.lease(), forced.token()));
    }

    /** Whether the record has been of no use to anybody for the whole retention. */
    public boolean expendable(LockRecord record, Instant now) {
        return purgeableAt(record).isBefore(now) && record.line().aliveAt(now).isEmpty();
    }

    public Instant purgeableAt(LockRecord record) {
        return record.idleSince().plus(tombstoneRetention);
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

    /** Expired by every clock that is within the allowed skew of this one. */
    private boolean abandoned(Lease lease, Instant now) {
        return takeovers && lease.expiresAt().plus(maxClockSkew).isBefore(now);
    }

    /** Watched for longer than it lasts: dead, whatever time it says it ends. */
    private boolean outlasted(Lease lease, AcquireRequest request) {
        return takeovers && request.sight().outlasted().filter(lease::equals).isPresent();
    }

    private static boolean isOwners(Lease lease, AcquireRequest request) {
        return lease.owner().equals(request.owner());
    }

    private static Decision<AcquireOutcome> grant(
            AcquireRequest request, FencingToken token, Line line, Optional<LockRecord> replaced, Instant now) {
        var lease = request.leaseAt(now, token);
        var asker = request.visit().map(AcquireRequest.Visit::asker);
        var record = new LockRecord(lease, token, Optional.empty(), line, asker);
        return Decision.store(record, new Granted(lease, replaced));
    }
}
