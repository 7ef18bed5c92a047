package io.holdfast.http.lock;

import io.holdfast.http.edge.Problems;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.http.wire.lock.LockSetBody;
import io.holdfast.http.wire.lock.LocksBody;
import io.holdfast.http.wire.lock.ReleaseAllBody;
import io.holdfast.http.wire.lock.ReleaseBody;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Page;
import io.holdfast.lock.hold.HeartbeatOutcome;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.set.AcquireAllOutcome;
import io.holdfast.lock.set.LockSetService;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Turns outcomes of lock operations into responses. */
public final class LockResponses {
    private LockResponses() {}

    static Response acquire(AcquireOutcome outcome, Instant now) {
        return switch (outcome) {
            case AcquireOutcome.Granted granted ->
                Response.status(201)
                        .entity(LockBodies.held(granted.lease(), granted.waiting(now), now))
                        .build();
            case AcquireOutcome.AlreadyHeld yours -> ok(LockBodies.held(yours.lease(), yours.waiting(), now));
            case AcquireOutcome.HeldByAnother held -> LockProblems.conflict(held, now);
            case AcquireOutcome.ClosedUntil closed -> LockProblems.closed(closed.record(), closed.until(), now);
            case AcquireOutcome.ReservedForQueue kept -> LockProblems.reservedForQueue(kept.record(), now);
            case AcquireOutcome.Queued queued ->
                LockProblems.gaveUp(queued.record().name(), Optional.of(queued.record()), now);
            case AcquireOutcome.GaveUp gaveUp -> LockProblems.gaveUp(gaveUp.name(), gaveUp.record(), now);
            case AcquireOutcome.QueueFull full -> LockProblems.queueFull(full);
        };
    }

    /**
     * The response to a request that needed a lock for its own work, and did not get it.
     *
     * @param consequence a sentence that says what was not done
     */
    public static Response refused(AcquireOutcome refusal, String consequence, Instant now) {
        var conflict = acquire(refusal, now);
        var problem = (ProblemBody) conflict.getEntity();
        return Response.fromResponse(conflict)
                .entity(problem.withDetail(problem.detail() + ". " + consequence))
                .build();
    }

    static Response acquireAll(LockSetService.AcquireAll command, AcquireAllOutcome outcome, Instant now) {
        return switch (outcome) {
            case AcquireAllOutcome.AllGranted granted ->
                Response.status(granted.fresh() ? 201 : 200)
                        .entity(set(command, granted.leases(), now))
                        .build();
            case AcquireAllOutcome.Blocked blocked ->
                acquire(blocked.answer().answer(), blocked.answer().now());
            case AcquireAllOutcome.LostMeanwhile lost -> LockProblems.lostMeanwhile(lost);
        };
    }

    private static LockSetBody set(LockSetService.AcquireAll command, List<Lease> leases, Instant now) {
        var remaining = leases.stream()
                .mapToLong(lease -> lease.remainingAt(now).toMillis())
                .min();
        return new LockSetBody(
                command.id().map(LockId::value).orElse(null),
                command.owner().value(),
                remaining.orElse(0),
                leases.stream().map(lease -> LockBodies.held(lease, now)).toList());
    }

    static Response releaseAll(LockSetService.Names names, List<ReleaseOutcome> outcomes) {
        var each = IntStream.range(0, outcomes.size())
                .mapToObj(i -> new ReleaseAllBody.One(names.all().get(i).value(), wasReleased(outcomes.get(i))))
                .toList();
        return ok(new ReleaseAllBody(each.stream().allMatch(ReleaseAllBody.One::released), each));
    }

    private static boolean wasReleased(ReleaseOutcome outcome) {
        return outcome instanceof ReleaseOutcome.Released || outcome instanceof ReleaseOutcome.ReleasedBefore;
    }

    static Response renew(LeaseClaim claim, RenewOutcome outcome, Instant now) {
        return switch (outcome) {
            case RenewOutcome.Renewed renewed -> ok(LockBodies.held(renewed.lease(), renewed.waiting(), now));
            case RenewOutcome.Superseded superseded -> LockProblems.notHeld(claim, superseded.lease(), now);
            case RenewOutcome.NotHeld notHeld -> notHeld(claim, notHeld.holder(), notHeld.ended(), now);
        };
    }

    private static Response notHeld(LeaseClaim claim, Optional<Lease> holder, Optional<LockRecord> ended, Instant now) {
        return holder.map(lease -> LockProblems.notHeld(claim, lease, now))
                .orElseGet(() -> LockProblems.notHeld(claim, ended));
    }

    static Response heartbeat(LeaseClaim claim, HeartbeatOutcome outcome, Instant now) {
        return switch (outcome) {
            case HeartbeatOutcome.Heard heard -> ok(LockBodies.held(heard.lease(), now));
            case HeartbeatOutcome.NotHeld notHeld -> notHeld(claim, notHeld.holder(), notHeld.ended(), now);
            case HeartbeatOutcome.NotAutoRenewed notRenewed ->
                Problems.invalidInput(new InvalidInputException(
                        "lock_id", "that of a lease acquired with auto_renew; renew this one"));
            case HeartbeatOutcome.TooMany many ->
                LockProblems.queueFull(new AcquireOutcome.QueueFull(many.name(), many.leases(), many.limit()));
        };
    }

    static Response release(LeaseClaim claim, ReleaseOutcome outcome, Instant now) {
        return switch (outcome) {
            case ReleaseOutcome.Released released -> ok(new ReleaseBody(true, null));
            case ReleaseOutcome.ReleasedBefore before -> ok(new ReleaseBody(true, null));
            case ReleaseOutcome.Superseded superseded -> LockProblems.notHeld(claim, superseded.lease(), now);
            case ReleaseOutcome.AlreadyGone gone -> ok(new ReleaseBody(false, null));
            case ReleaseOutcome.HeldByAnother held -> LockProblems.notHeld(claim, held.holder(), now);
        };
    }

    static Response forceRelease(LockName name, ForceReleaseOutcome outcome, Instant now) {
        return switch (outcome) {
            case ForceReleaseOutcome.Freed freed ->
                ok(new ReleaseBody(
                        true,
                        freed.previous()
                                .map(lease -> LockBodies.held(lease, now))
                                .orElse(null)));
            case ForceReleaseOutcome.AlreadyFree free -> ok(new ReleaseBody(false, LockBodies.of(free.record(), now)));
            case ForceReleaseOutcome.BelongsToAnother another -> LockProblems.belongsToAnother(another.current(), now);
            case ForceReleaseOutcome.TokenChanged changed -> LockProblems.lockChanged(changed.current(), now);
            case ForceReleaseOutcome.NoSuchLock none -> LockProblems.noSuchLock(name);
        };
    }

    static Response find(LockName name, Optional<LockRecord> found, Instant now) {
        return found.map(record -> ok(LockBodies.withWaiters(record, now)))
                .orElseGet(() -> LockProblems.noSuchLock(name));
    }

    static Response list(Page<LockRecord> page, Instant now) {
        var locks =
                page.items().stream().map(record -> LockBodies.of(record, now)).toList();
        return ok(new LocksBody(locks, page.next().map(Cursor::text).orElse(null)));
    }

    private static Response ok(Object body) {
        return Response.ok(body).build();
    }
}
