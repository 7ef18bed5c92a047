package io.holdfast.http.lock;

import io.holdfast.http.edge.Problems;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.http.wire.Times;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.lock.hold.HoldConfig;
import io.holdfast.lock.hold.RenewalConfig;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.set.AcquireAllOutcome;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Problem responses about locks. */
final class LockProblems {
    private LockProblems() {}

    static Response conflict(AcquireOutcome.HeldByAnother held, Instant now) {
        var holder = held.holder();
        return conflict(
                heldBy(holder, held.byConnection()),
                LockBodies.of(holder, held.waiting(), held.byConnection(), now),
                held.waiting(),
                holder.remainingAt(now));
    }

    private static String heldBy(Lease holder, boolean byConnection) {
        return "Execution blocked: lock '%s' held by %s until %s%s"
                .formatted(
                        holder.name(),
                        NotHeldDetail.named(holder.owner()),
                        Times.sentence(holder.expiresAt()),
                        unlessRenewed(holder, byConnection));
    }

    /** A lease that is renewed does not end at its present expiry. */
    private static String unlessRenewed(Lease holder, boolean byConnection) {
        if (byConnection) {
            return ", renewed automatically while its connection lasts";
        }
        if (holder.term().renewUntil().isPresent()) {
            return ", renewed automatically";
        }
        return holder.term().renewals() > 0 ? " unless renewed again" : "";
    }

    /** Retry soon: the first waiter may get the lock or give up at any moment. */
    static Response reservedForQueue(LockRecord record, Instant now) {
        var lock = LockBodies.of(record, now);
        var detail = "Execution blocked: lock '%s' is reserved for %d waiting requests. Ask with wait to join the queue"
                .formatted(record.name(), lock.waiting());
        return conflict(detail, lock, lock.waiting(), Duration.ZERO);
    }

    /** @param record the record that was read last */
    static Response gaveUp(LockName name, Optional<LockRecord> record, Instant now) {
        var held =
                record.filter(last -> last.statusAt(now) == LockStatus.ACTIVE).map(LockRecord::lease);
        var detail = held.map(lease -> heldBy(lease, record.get().isHeldByConnectionAt(now)))
                .orElse("Execution blocked: lock '%s' was not granted within the wait".formatted(name));
        var lock = record.map(last -> LockBodies.of(last, now));
        return lock.map(body -> conflict(
                        detail,
                        body,
                        body.waiting(),
                        held.map(lease -> lease.remainingAt(now)).orElse(Duration.ZERO)))
                .orElseGet(() -> Problems.answer(Problems.problem(409, "lock-conflict", "Lock conflict", detail)));
    }

    static Response lostMeanwhile(AcquireAllOutcome.LostMeanwhile lost) {
        var detail = "Execution blocked: none is taken, because one was lost while another was waited for. "
                + lost.loss().detail();
        return Problems.builder(Problems.problem(409, "lock-conflict", "Lock conflict", detail))
                .header(HttpHeaders.RETRY_AFTER, Problems.RETRY_SECONDS)
                .build();
    }

    static Response queueFull(AcquireOutcome.QueueFull full) {
        var what =
                switch (full.limit()) {
                    case HoldConfig.CONNECTIONS_MAX -> "held by a connection here: %d are already";
                    case RenewalConfig.LEASES_MAX -> "renewed here: %d leases are already";
                    default -> "waited for: %d wait already";
                };
        var detail = ("Lock '%s' cannot be " + what + ", as many as %s allows. Ask again later")
                .formatted(full.name(), full.waiting(), full.limit());
        return Problems.builder(Problems.problem(429, "queue-full", "Queue full", detail)
                        .withWaiting(full.waiting()))
                .header(HttpHeaders.RETRY_AFTER, Problems.RETRY_SECONDS)
                .build();
    }

    static Response closed(LockRecord record, Instant until, Instant now) {
        var why = record.end().flatMap(LockRecord.End::forcedBecause).isPresent() ? "force-released" : "just released";
        var detail = "Execution blocked: lock '%s' was %s and stays closed until %s"
                .formatted(record.name(), why, Times.sentence(until));
        var lock = LockBodies.of(record, now);
        return conflict(detail, lock, lock.waiting(), Duration.between(now, until));
    }

    private static Response conflict(String detail, LockBody lock, int waiting, Duration wait) {
        return Problems.builder(Problems.problem(409, "lock-conflict", "Lock conflict", detail)
                        .withLock(lock)
                        .withWaiting(waiting))
                .header(
                        HttpHeaders.RETRY_AFTER,
                        Math.max(1, wait.plusMillis(999).toSeconds()))
                .build();
    }

    /** @param holder the lease that holds the lock now */
    static Response notHeld(LeaseClaim claim, Lease holder, Instant now) {
        return Problems.answer(notHeld(NotHeldDetail.of(claim, holder)).withLock(LockBodies.held(holder, now)));
    }

    /** @param record of the lock, which is free; none if it has no record */
    static Response notHeld(LeaseClaim claim, Optional<LockRecord> record) {
        return Problems.answer(notHeld(NotHeldDetail.of(claim, record)));
    }

    private static ProblemBody notHeld(String detail) {
        return Problems.problem(404, "lock-not-held", "Lock not held", detail);
    }

    static Response noSuchLock(LockName name) {
        return Problems.answer(
                Problems.problem(404, "not-found", "Not found", "There is no lock '%s'.".formatted(name)));
    }

    static Response belongsToAnother(LockRecord current, Instant now) {
        var detail = "Lock '%s' is held by %s, not by you. Nothing was released."
                .formatted(current.name(), NotHeldDetail.named(current.lease().owner()));
        return Problems.answer(
                Problems.problem(409, "lock-conflict", "Lock conflict", detail).withLock(LockBodies.of(current, now)));
    }

    static Response lockChanged(LockRecord current, Instant now) {
        var detail = "Lock '%s' has changed since you looked: its fencing token is now %s. Nothing was released."
                .formatted(current.name(), current.token());
        return Problems.answer(
                Problems.problem(409, "lock-changed", "Lock changed", detail).withLock(LockBodies.of(current, now)));
    }
}
