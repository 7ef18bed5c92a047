package io.holdfast.http;

import io.holdfast.http.wire.LockBody;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.http.wire.Times;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockName;
import io.holdfast.lock.LockRecord;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Everything that is not a success, each with its stable code. */
final class Problems {
    private static final long STORE_RETRY_SECONDS = 1;
    /** A sentence with more names than this is not read. */
    private static final int NAMED_MAX = 5;

    private Problems() {}

    static Response invalidInput(InvalidInputException e) {
        return answer(invalidInputBody(e));
    }

    static ProblemBody invalidInputBody(InvalidInputException e) {
        return problem(400, "invalid-input", "Invalid input", e.getMessage()).withField(e.field(), e.allowed());
    }

    static Response conflict(Lease holder, Instant now) {
        var detail = "Execution blocked: lock '%s' held by %s until %s"
                .formatted(holder.name(), holder.owner(), Times.sentence(holder.expiresAt()));
        return conflict(detail, LockRecord.held(holder), holder.remainingAt(now), now);
    }

    static Response closed(LockRecord record, Instant until, Instant now) {
        var why = record.end().flatMap(LockRecord.End::forcedBecause).isPresent() ? "force-released" : "just released";
        var detail = "Execution blocked: lock '%s' was %s and stays closed until %s"
                .formatted(record.name(), why, Times.sentence(until));
        return conflict(detail, record, Duration.between(now, until), now);
    }

    private static Response conflict(String detail, LockRecord record, Duration wait, Instant now) {
        var lock = LockBody.of(record, now);
        return builder(problem(409, "lock-conflict", "Lock conflict", detail)
                        .withLock(lock)
                        .withWaiting(lock.waiting()))
                .header(
                        HttpHeaders.RETRY_AFTER,
                        Math.max(1, wait.plusMillis(999).toSeconds()))
                .build();
    }

    static Response notHeld(LockName name, Optional<Lease> holder, Instant now) {
        var present = holder.map(lease ->
                        "it is held by %s until %s".formatted(lease.owner(), Times.sentence(lease.expiresAt())))
                .orElse("nobody holds it");
        var detail = "You do not hold lock '%s' with this lock_id and owner: %s. Stop the work it guarded."
                .formatted(name, present);
        var problem = problem(404, "lock-not-held", "Lock not held", detail);
        return answer(holder.map(lease -> problem.withLock(LockBody.of(LockRecord.held(lease), now)))
                .orElse(problem));
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

    static Response storeUnavailable(String why) {
        var detail = why + " A change may or may not have happened: ask again, for a lock with the same lock_id.";
        return builder(problem(503, "store-unavailable", "Store unavailable", detail))
                .header(HttpHeaders.RETRY_AFTER, STORE_RETRY_SECONDS)
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
