package io.holdfast.http.lock;

import io.holdfast.http.wire.Times;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.http.wire.lock.LostBody;
import io.holdfast.http.wire.lock.TickBody;
import io.holdfast.http.wire.lock.WaiterBody;
import io.holdfast.kernel.Subject;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.model.WaitQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Builds the JSON bodies of locks. */
final class LockBodies {
    private LockBodies() {}

    /** With its waiters. */
    static LockBody withWaiters(LockRecord record, Instant now) {
        return of(record, record.waitingAt(now), waiters(record.queue(), now), record.isHeldByConnectionAt(now), now);
    }

    static LockBody of(LockRecord record, Instant now) {
        return of(record, record.waitingAt(now), now);
    }

    /** @param waiting the number of waiters; null if unknown */
    static LockBody of(LockRecord record, Integer waiting, Instant now) {
        return of(record, waiting, null, record.isHeldByConnectionAt(now), now);
    }

    /** For a lock whose record is not known. */
    static LockBody of(Lease lease, Integer waiting, boolean byConnection, Instant now) {
        return of(LockRecord.held(lease), waiting, null, byConnection, now);
    }

    private static LockBody of(
            LockRecord record, Integer waiting, List<WaiterBody> waiters, boolean byConnection, Instant now) {
        var lease = record.lease();
        var term = lease.term();
        var end = record.end();
        return new LockBody(
                lease.name().value(),
                lease.id().value(),
                lease.owner().value(),
                subject(lease.owner()),
                record.token().value(),
                record.statusAt(now).text(),
                lease.labels().type().text(),
                Times.text(term.acquiredAt()),
                Times.text(term.expiresAt()),
                term.ttl().toMillis(),
                end.isPresent() ? 0 : lease.remainingAt(now).toMillis(),
                term.renewals(),
                lease.labels().userEmail().orElse(null),
                lease.labels().metadata(),
                end.map(e -> Times.text(e.at())).orElse(null),
                end.flatMap(LockRecord.End::closedUntil).map(Times::text).orElse(null),
                end.flatMap(LockRecord.End::forcedBecause).orElse(null),
                term.renewUntil().map(Times::text).orElse(null),
                byConnection ? Boolean.TRUE : null,
                waiting,
                waiters);
    }

    static LockBody held(Lease lease, int waiting, Instant now) {
        return of(LockRecord.held(lease), waiting, now);
    }

    /** Without the number of waiters, which is not known here. */
    static LockBody held(Lease lease, Instant now) {
        return of(LockRecord.held(lease), null, now);
    }

    private static List<WaiterBody> waiters(WaitQueue queue, Instant now) {
        var tickets = queue.aliveAt(now).tickets();
        return IntStream.range(0, tickets.size())
                .mapToObj(i -> new WaiterBody(
                        i + 1,
                        tickets.get(i).owner().value(),
                        subject(tickets.get(i).owner()),
                        Times.text(tickets.get(i).since()),
                        Math.max(
                                0, Duration.between(tickets.get(i).since(), now).toMillis()),
                        Times.text(tickets.get(i).deadline())))
                .toList();
    }

    /** @return null if there is none */
    private static String subject(Owner owner) {
        return owner.subject().map(Subject::value).orElse(null);
    }

    static TickBody tick(Lease lease, Instant now) {
        return new TickBody(
                lease.remainingAt(now).toMillis(),
                Times.text(lease.expiresAt()),
                lease.term().renewals(),
                lease.token().value());
    }

    static LostBody lost(LeaseLoss loss, Lease lease, Instant now) {
        var stays = loss.cause() == LeaseLoss.Cause.SHUTTING_DOWN;
        return new LostBody(
                loss.cause().name().toLowerCase(Locale.ROOT),
                loss.detail(),
                stays ? lease.remainingAt(now).toMillis() : null,
                stays ? Times.text(lease.expiresAt()) : null);
    }
}
