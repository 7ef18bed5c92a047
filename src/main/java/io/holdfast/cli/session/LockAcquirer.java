package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.http.wire.lock.LockSetBody;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Takes locks, and stands in line for them if it must.
 *
 * <p>A request that failed is asked again with the same lock_id, so that a lock that was granted by a lost answer is
 * found and not left behind. A wait that is longer than the service allows is asked for in pieces: the next request is
 * there before the last one ends, and takes over its place in line.
 */
public final class LockAcquirer {
    /** The service waits no longer than this for one request. */
    private static final Duration PIECE_MAX = Duration.ofMinutes(5);

    /** A service that allows less than this is not waited at. */
    private static final Duration PIECE_MIN = Duration.ofSeconds(1);

    /** How long two requests stand in one place. */
    private static final Duration OVERLAP = Duration.ofSeconds(3);

    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    private final ApiClient api;
    private final LockRequest request;
    private Pieces pieces;
    private final WaitListener listener;
    private final Cancellation cancellation;
    private boolean inDoubt;

    /** How a long wait is cut. */
    record Pieces(Duration longest, Duration overlap) {
        static final Pieces DEFAULT = new Pieces(PIECE_MAX, OVERLAP);

        Pieces halved() {
            return new Pieces(longest.dividedBy(2), overlap.dividedBy(2));
        }

        /** For how long a request stands by itself. */
        Duration fresh() {
            return longest.minus(overlap);
        }
    }

    LockAcquirer(ApiClient api, LockRequest request, Pieces pieces, WaitListener listener, Cancellation cancellation) {
        this.cancellation = cancellation;
        this.api = api;
        this.request = request;
        this.pieces = pieces;
        this.listener = listener;
    }

    /** Takes them for a command, and tells whoever sits there whom they wait for. */
    public static AcquiredLocks acquire(
            ApiCommand client, LockRequest request, Duration wait, Cancellation cancellation) {
        try (var notes = new WaitNotes(client.api(), client.world())) {
            var taken = new LockAcquirer(client.api(), request, Pieces.DEFAULT, notes, cancellation).acquire(wait);
            notes.acquired(taken.locks());
            return taken;
        }
    }

    /** @throws CliException if they were not granted within the wait */
    AcquiredLocks acquire(Duration wait) {
        var begun = System.nanoTime();
        var until = begun + wait.toNanos();
        // What may have happened is worth asking again, also by somebody who does not wait.
        var doubtUntil = begun + Math.max(wait.toNanos(), api.answerMax().toNanos());
        // The first request does not wait, so that it is told who is in the way.
        var reply = reply(() -> api.post(request.path(), request.body(Duration.ZERO)));
        var waited = false;
        while (!reply.isGood()) {
            if (System.nanoTime() >= (inDoubt && !reply.isBlocked() ? doubtUntil : until)) {
                throw givenUp(reply.failure());
            }
            tell(reply);
            if (waited || !reply.isBlocked()) {
                pause();
            }
            reply = reply(() -> inLine(until));
            waited = true;
        }
        return taken(reply.answer(), waited && wait.isPositive());
    }

    /**
     * What came of a request that may be worth another.
     *
     * @param answer null if there was none
     * @param failure null if it was good
     */
    private record Reply(ApiResponse answer, CliException failure) {
        boolean isGood() {
            return failure == null;
        }

        boolean isBlocked() {
            return answer != null && answer.status() == 409;
        }

        boolean isWorthAnother() {
            return isBlocked() || failure.exit() == Exit.UNAVAILABLE || answer != null && answer.isPassing();
        }
    }

    private Reply reply(Supplier<ApiResponse> question) {
        var reply = heard(question);
        if (cancellation.isRequested()) {
            // Not before the answer: what is given back by then must not be granted after.
            LockReleaser.releaseQuietly(api, request);
            throw cancellation.failure();
        }
        if (reply.isGood()) {
            return reply;
        }
        inDoubt = inDoubt || reply.failure().isInDoubt();
        if (!reply.isWorthAnother()) {
            throw givenUp(reply.failure());
        }
        return reply;
    }

    private static Reply heard(Supplier<ApiResponse> question) {
        try {
            var response = question.get();
            return new Reply(response, response.isGood() ? null : response.failure());
        } catch (CliException unanswered) {
            return new Reply(null, unanswered);
        }
    }

    private void tell(Reply reply) {
        if (reply.isBlocked()) {
            listener.blocked(reply.answer());
        } else {
            listener.failed(reply.failure());
        }
    }

    private ApiResponse inLine(long until) {
        var response = inPieces(until);
        while (isPieceTooLong(response)) {
            pieces = pieces.halved();
            response = inPieces(until);
        }
        return response;
    }

    /** Whoever runs the service may allow less. */
    private boolean isPieceTooLong(ApiResponse response) {
        return response.body().path("field").asText().equals("wait")
                && pieces.longest().compareTo(PIECE_MIN) > 0;
    }

    private ApiResponse inPieces(long until) {
        var current = ask(until);
        while (true) {
            var isLast = current.asked() + pieces.longest().toNanos() >= until;
            // Of several, those that are taken are given back when their request ends: nothing is there to take over.
            if (isLast || !request.isForOne()) {
                return join(current.answer());
            }
            var response =
                    within(current.answer(), current.asked() + pieces.fresh().toNanos() - System.nanoTime());
            if (response != null) {
                return response;
            }
            var next = ask(until);
            response = join(current.answer());
            if (response.isGood()) {
                // The next one will speak of the same lease. To hang up on it before it does could give that back.
                hear(next.answer());
                return response;
            }
            current = next;
        }
    }

    /** One request of a long wait. */
    private record Piece(CompletableFuture<ApiResponse> answer, long asked) {}

    private Piece ask(long until) {
        var asked = System.nanoTime();
        var left = Duration.ofNanos(Math.max(0, until - asked));
        var piece = Durations.min(left, pieces.longest());
        return new Piece(api.postLater(request.path(), request.body(piece), piece), asked);
    }

    private void hear(CompletableFuture<ApiResponse> asked) {
        try {
            within(asked, pieces.overlap().toNanos());
        } catch (CliException broken) {
            // It has nothing to say that is not known.
        }
    }

    /** @return null if nothing has come by then */
    private ApiResponse within(CompletableFuture<ApiResponse> asked, long nanos) {
        var timer = new CompletableFuture<Void>().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
        cancellation.awaitOr(CompletableFuture.anyOf(asked, timer));
        return asked.isDone() || cancellation.isRequested() ? join(asked) : null;
    }

    /** Who is called back hangs up, and leaves the line by that. */
    private ApiResponse join(CompletableFuture<ApiResponse> asked) {
        cancellation.awaitOr(asked);
        if (cancellation.isRequested() && !asked.isDone()) {
            asked.cancel(true);
            throw cancellation.failure();
        }
        try {
            return asked.join();
        } catch (CompletionException e) {
            throw failureOf(e.getCause());
        }
    }

    private static RuntimeException failureOf(Throwable cause) {
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
    }

    private AcquiredLocks taken(ApiResponse response, boolean waited) {
        var body = response.body();
        var locks = request.isForOne()
                ? List.of(api.read(body, LockBody.class))
                : api.read(body, LockSetBody.class).locks();
        // With our lock_id it is new, though an answer before this one may have been lost.
        var ours = locks.stream().allMatch(lock -> lock.lockId().equals(request.lockId()));
        // After a wait, what is left is as of the answer; otherwise it counts from before the question.
        return new AcquiredLocks(body, locks, ours, waited ? System.nanoTime() : response.askedNanos());
    }

    /** Whatever came last: an earlier one of our requests may have been carried out, or may still be. */
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
