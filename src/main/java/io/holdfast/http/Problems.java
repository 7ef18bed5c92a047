package io.holdfast.http;

import io.holdfast.http.wire.LockBody;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.http.wire.Times;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.hold.HoldConfig;
import io.holdfast.lock.hold.RenewalConfig;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.set.AcquireAllOutcome;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore.PendingOrder;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Everything that is not a success, each with its stable code. */
final class Problems {
    private static final long RETRY_SECONDS = 1;
    /** As often as the reconciler looks by default. */
    private static final long RETRY_ORDER_SECONDS = 30;
    /** A sentence with more names than this is not read. */
    private static final int NAMED_MAX = 5;

    private static final int PATH_ECHO_MAX = 512;
    private static final Pattern PATH_WITH_SLASHES =
            Pattern.compile("(?<start>/v1/(locks|apps|databases)/)(?<name>[^/]+/.*?)"
                    + "(?<action>(/(renew|heartbeat|hold|start|stop|decisions))?)");

    private Problems() {}

    static Response invalidInput(InvalidInputException e) {
        return answer(invalidInputBody(e));
    }

    static ProblemBody invalidInputBody(InvalidInputException e) {
        return problem(400, "invalid-input", "Invalid input", e.getMessage()).withField(e.field(), e.allowed());
    }

    static Response conflict(AcquireOutcome.HeldByAnother held, Instant now) {
        var holder = held.holder();
        return conflict(
                heldBy(holder, held.byConnection()),
                LockBody.of(holder, held.waiting(), held.byConnection(), now),
                held.waiting(),
                holder.remainingAt(now));
    }

    private static String heldBy(Lease holder, boolean byConnection) {
        return "Execution blocked: lock '%s' held by %s until %s%s"
                .formatted(
                        holder.name(),
                        holder.owner(),
                        Times.sentence(holder.expiresAt()),
                        unlessRenewed(holder, byConnection));
    }

    /** The end of a lease that is kept alive is not when it will be free. */
    private static String unlessRenewed(Lease holder, boolean byConnection) {
        if (byConnection) {
            return ", renewed automatically while its connection lasts";
        }
        if (holder.term().renewUntil().isPresent()) {
            return ", renewed automatically";
        }
        return holder.term().renewals() > 0 ? " unless renewed again" : "";
    }

    /** A moment later the one in front may have it, or may have gone. */
    static Response keptForLine(LockRecord record, Instant now) {
        var lock = LockBody.of(record, now);
        var detail =
                "Execution blocked: lock '%s' is kept for those who wait for it: %d. Ask with wait to stand in line"
                        .formatted(record.name(), lock.waiting());
        return conflict(detail, lock, lock.waiting(), Duration.ZERO);
    }

    /** @param record the lock as it was last seen */
    static Response gaveUp(LockName name, Optional<LockRecord> record, Instant now) {
        var held =
                record.filter(last -> last.statusAt(now) == LockStatus.ACTIVE).map(LockRecord::lease);
        var detail = held.map(lease -> heldBy(lease, record.get().isHeldByConnectionAt(now)))
                .orElse("Execution blocked: lock '%s' was not granted within the wait".formatted(name));
        var lock = record.map(last -> LockBody.of(last, now));
        return lock.map(body -> conflict(
                        detail,
                        body,
                        body.waiting(),
                        held.map(lease -> lease.remainingAt(now)).orElse(Duration.ZERO)))
                .orElseGet(() -> answer(problem(409, "lock-conflict", "Lock conflict", detail)));
    }

    static Response lostMeanwhile(AcquireAllOutcome.LostMeanwhile lost) {
        var detail = "Execution blocked: none is taken, because one was lost while another was waited for. "
                + lost.loss().detail();
        return builder(problem(409, "lock-conflict", "Lock conflict", detail))
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
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
        return builder(problem(429, "queue-full", "Queue full", detail).withWaiting(full.waiting()))
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .build();
    }

    static Response closed(LockRecord record, Instant until, Instant now) {
        var why = record.end().flatMap(LockRecord.End::forcedBecause).isPresent() ? "force-released" : "just released";
        var detail = "Execution blocked: lock '%s' was %s and stays closed until %s"
                .formatted(record.name(), why, Times.sentence(until));
        var lock = LockBody.of(record, now);
        return conflict(detail, lock, lock.waiting(), Duration.between(now, until));
    }

    private static Response conflict(String detail, LockBody lock, int waiting, Duration wait) {
        return builder(problem(409, "lock-conflict", "Lock conflict", detail)
                        .withLock(lock)
                        .withWaiting(waiting))
                .header(
                        HttpHeaders.RETRY_AFTER,
                        Math.max(1, wait.plusMillis(999).toSeconds()))
                .build();
    }

    /** @param holder the lease that the lock is held by now */
    static Response notHeld(LeaseClaim claim, Lease holder, Instant now) {
        return answer(notHeld(NotHeldDetail.of(claim, holder)).withLock(LockAnswers.held(holder, now)));
    }

    /** @param record of the lock, which is not held; none if it has no record */
    static Response notHeld(LeaseClaim claim, Optional<LockRecord> record) {
        return answer(notHeld(NotHeldDetail.of(claim, record)));
    }

    private static ProblemBody notHeld(String detail) {
        return problem(404, "lock-not-held", "Lock not held", detail);
    }

    /** @param path as it was sent, still encoded */
    static Response nothingAt(String path) {
        return http(404, "not-found", "Not found", "There is nothing at this path." + slashHint(path));
    }

    /** The slash in a name has to be encoded, or it ends the name. */
    private static String slashHint(String path) {
        var parts = PATH_WITH_SLASHES.matcher(path);
        if (path.length() > PATH_ECHO_MAX || !parts.matches()) {
            return "";
        }
        var encoded = parts.group("name").replace("/", "%2F");
        return " If the name has a slash, write it as %%2F: %s%s%s."
                .formatted(parts.group("start"), encoded, parts.group("action"));
    }

    static Response noSuchLock(LockName name) {
        return answer(problem(404, "not-found", "Not found", "There is no lock '%s'.".formatted(name)));
    }

    static Response lockChanged(LockRecord current, Instant now) {
        var detail = "Lock '%s' has changed since you looked: its fencing token is now %s. Nothing was released."
                .formatted(current.name(), current.token());
        return answer(problem(409, "lock-changed", "Lock changed", detail).withLock(LockBody.of(current, now)));
    }

    static Response noSuchApp(AppName name) {
        return answer(problem(404, "not-found", "Not found", "There is no app '%s'.".formatted(name)));
    }

    static Response noSuchDatabase(DatabaseId id) {
        return answer(problem(404, "not-found", "Not found", "There is no database '%s'.".formatted(id)));
    }

    static Response databaseInUse(DatabaseId id, List<AppName> apps) {
        var names = apps.stream().map(AppName::value).toList();
        var some = names.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
        var more = names.size() > NAMED_MAX ? " and %d more".formatted(names.size() - NAMED_MAX) : "";
        var detail = "Database '%s' is still used by %s%s. Remove it from these apps first.".formatted(id, some, more);
        return answer(problem(409, "database-in-use", "Database in use", detail).withApps(names));
    }

    static Response orderPending(DatabaseId id, PendingOrder order, String consequence) {
        var detail =
                switch (order) {
                    case STOP ->
                        "Database '%s' is being stopped. %s Ask again when its `observed` is no longer STOPPING.";
                    case START ->
                        "Database '%s' is being started. %s Ask again when its `observed` is no longer STARTING.";
                };
        return builder(problem(409, "order-pending", "Order pending", detail.formatted(id, consequence)))
                .header(HttpHeaders.RETRY_AFTER, RETRY_ORDER_SECONDS)
                .build();
    }

    static Response storeUnavailable(String why) {
        return unavailable(
                why + " A change may or may not have happened: ask again, for a lock with the same lock_id.");
    }

    /** For a request that only reads. */
    static Response storeUnreadable(String why) {
        return unavailable(why + " This was a read and has changed nothing: ask again.");
    }

    private static Response unavailable(String detail) {
        return builder(problem(503, "store-unavailable", "Store unavailable", detail))
                .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
                .build();
    }

    static ProblemBody bodyTooLarge(long bodyMax) {
        return problem(413, "body-too-large", "Body too large", "A body may have at most %d bytes.".formatted(bodyMax));
    }

    /** What HTTP itself refuses: wrong path, method, media type, size. */
    static Response http(int status, String code, String title, String detail) {
        return answer(problem(status, code, title, detail));
    }

    private static ProblemBody problem(int status, String code, String title, String detail) {
        return ProblemBody.of(status, code, title, detail);
    }

    static Response answer(ProblemBody problem) {
        return builder(problem).build();
    }

    private static Response.ResponseBuilder builder(ProblemBody problem) {
        return Response.status(problem.status()).type(ProblemBody.MEDIA_TYPE).entity(problem);
    }
}
