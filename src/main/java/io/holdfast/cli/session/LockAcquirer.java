package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.http.wire.lock.LockSetBody;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Acquires locks, and queues for them if the command has a wait. A failed request is repeated with the same lock_id: if the
 * service had granted the lock and only the answer was lost, the repetition finds the lease.
 */
public final class LockAcquirer {
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    private final ApiClient api;
    private final LockRequest request;
    private final QueueWait queueWait;
    private final WaitProgress listener;
    private final Cancellation cancellation;
    /** Whether the service may have granted the locks by a request whose answer was lost. */
    private boolean inDoubt;

    LockAcquirer(
            ApiClient api,
            LockRequest request,
            QueueWait.Limits limits,
            WaitProgress listener,
            Cancellation cancellation) {
        this.api = api;
        this.request = request;
        this.queueWait = new QueueWait(api, request, limits, cancellation);
        this.listener = listener;
        this.cancellation = cancellation;
    }

    /** Acquires locks for a command, and shows on stderr what the command waits for. */
    public static AcquiredLocks acquire(
            ApiCommand command, LockRequest request, Duration wait, Cancellation cancellation) {
        try (var notes = new WaitNotes(command.api(), command.environment())) {
            var acquired = new LockAcquirer(command.api(), request, QueueWait.Limits.DEFAULT, notes, cancellation)
                    .acquire(wait);
            notes.acquired(acquired.locks());
            return acquired;
        }
    }

    /** @throws CliException if the locks were not granted within the wait */
    AcquiredLocks acquire(Duration wait) {
        var begun = System.nanoTime();
        var until = begun + wait.toNanos();
        // A request whose outcome is unknown is repeated even if the command has no wait.
        var doubtUntil = begun + Math.max(wait.toNanos(), api.answerMax().toNanos());
        // The first request does not wait, so that the answer names the holder.
        var reply = reply(() -> api.post(request.path(), request.body(Duration.ZERO)));
        var waited = false;
        while (!reply.isSuccess()) {
            if (System.nanoTime() >= (inDoubt && !reply.isBlocked() ? doubtUntil : until)) {
                throw givenUp(reply.failure());
            }
            notifyListener(reply);
            if (waited || !reply.isBlocked()) {
                pause();
            }
            reply = reply(() -> queueWait.await(until));
            waited = true;
        }
        return acquired(reply.answer(), waited && wait.isPositive());
    }

    /**
     * The result of one attempt.
     *
     * @param answer null if there was none
     * @param failure null if the locks were granted
     */
    private record Reply(ApiResponse answer, CliException failure) {
        boolean isSuccess() {
            return failure == null;
        }

        boolean isBlocked() {
            return answer != null && answer.status() == 409;
        }

        boolean isRetryable() {
            return isBlocked() || failure.exit() == Exit.UNAVAILABLE || answer != null && answer.isTemporary();
        }
    }

    private Reply reply(Supplier<ApiResponse> attempt) {
        var reply = attempted(attempt);
        if (cancellation.isRequested()) {
            // The release is sent after the answer. Otherwise the lock could be granted after its release.
            LockReleaser.releaseQuietly(api, request);
            throw cancellation.failure();
        }
        if (reply.isSuccess()) {
            return reply;
        }
        inDoubt = inDoubt || reply.failure().isInDoubt();
        if (!reply.isRetryable()) {
            throw givenUp(reply.failure());
        }
        return reply;
    }

    private static Reply attempted(Supplier<ApiResponse> attempt) {
        try {
            var response = attempt.get();
            return new Reply(response, response.isSuccess() ? null : response.failure());
        } catch (CliException unanswered) {
            return new Reply(null, unanswered);
        }
    }

    private void notifyListener(Reply reply) {
        if (reply.isBlocked()) {
            listener.blocked(reply.answer());
        } else {
            listener.failed(reply.failure());
        }
    }

    private AcquiredLocks acquired(ApiResponse response, boolean waited) {
        var body = response.body();
        var locks = request.isForOne()
                ? List.of(api.read(body, LockBody.class))
                : api.read(body, LockSetBody.class).locks();
        // A lease with this lock_id is new even if the answer says 200: the answer that said 201 was lost.
        var isNew = locks.stream().allMatch(lock -> lock.lockId().equals(request.lockId()));
        // After a wait remaining_ms counts from the answer, otherwise from before the request.
        return new AcquiredLocks(body, locks, isNew, waited ? System.nanoTime() : response.sentNanos());
    }

    /** Releases the locks that an earlier request may have acquired, or may still acquire: its answer was lost. */
    private CliException givenUp(CliException failure) {
        if (inDoubt && !request.named()) {
            LockReleaser.releaseQuietly(api, request);
        }
        return failure;
    }

    private static void pause() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MAX.toMillis() / 4, PAUSE_MAX.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(Exit.FAILED, "Interrupted.");
        }
    }
}
