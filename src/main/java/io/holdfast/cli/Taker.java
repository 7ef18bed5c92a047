package io.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.wire.LockBody;
import io.holdfast.http.wire.LockSetBody;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
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
final class Taker {
    /** The service waits no longer than this for one request. */
    private static final Duration PIECE_MAX = Duration.ofMinutes(5);

    /** A service that allows less than this is not waited at. */
    private static final Duration PIECE_MIN = Duration.ofSeconds(1);

    /** How long two requests stand in one place. */
    private static final Duration OVERLAP = Duration.ofSeconds(3);

    /** What is only polite keeps nobody waiting. */
    private static final Duration COURTESY_MAX = Duration.ofSeconds(2);

    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    private final Api api;
    private final Wish wish;
    private Pieces pieces;
    private final WaitLine line;
    private final Recall recall;
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

    /**
     * @param answer as the service gave it
     * @param locks in the order of their names
     * @param isNew whether all of them are leases of this wish, and none is one that the owner had before
     * @param confirmedNanos when what is left of them began to count, by {@link System#nanoTime()}
     */
    record Taken(JsonNode answer, List<LockBody> locks, boolean isNew, long confirmedNanos) {}

    /** Hears who is in the way. */
    interface WaitLine {
        void blocked(Answer refusal);

        void troubled(Failure trouble);
    }

    Taker(Api api, Wish wish, Pieces pieces, WaitLine line, Recall recall) {
        this.recall = recall;
        this.api = api;
        this.wish = wish;
        this.pieces = pieces;
        this.line = line;
    }

    /** Takes them for a command, and tells whoever sits there whom they wait for. */
    static Taken take(Client client, Wish wish, Duration wait, Recall recall) {
        try (var notes = new WaitNotes(client.api(), client.world())) {
            var taken = new Taker(client.api(), wish, Pieces.DEFAULT, notes, recall).take(wait);
            notes.got(taken.locks());
            return taken;
        }
    }

    /** @throws Failure if they were not granted within the wait */
    Taken take(Duration wait) {
        var begun = System.nanoTime();
        var until = begun + wait.toNanos();
        // What may have happened is worth asking again, also by somebody who does not wait.
        var doubtUntil = begun + Math.max(wait.toNanos(), api.answerMax().toNanos());
        // The first request does not wait, so that it is told who is in the way.
        var reply = reply(() -> api.post(wish.path(), wish.body(Duration.ZERO)));
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
    private record Reply(Answer answer, Failure failure) {
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

    private Reply reply(Supplier<Answer> question) {
        var reply = heard(question);
        if (recall.isMade()) {
            // Not before the answer: what is given back by then must not be granted after.
            releaseIfPossible(api, wish);
            throw recall.failure();
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

    private static Reply heard(Supplier<Answer> question) {
        try {
            var answer = question.get();
            return new Reply(answer, answer.isGood() ? null : answer.failure());
        } catch (Failure unanswered) {
            return new Reply(null, unanswered);
        }
    }

    private void tell(Reply reply) {
        if (reply.isBlocked()) {
            line.blocked(reply.answer());
        } else {
            line.troubled(reply.failure());
        }
    }

    private Answer inLine(long until) {
        var answer = inPieces(until);
        while (isPieceTooLong(answer)) {
            pieces = pieces.halved();
            answer = inPieces(until);
        }
        return answer;
    }

    /** Whoever runs the service may allow less. */
    private boolean isPieceTooLong(Answer answer) {
        return answer.body().path("field").asText().equals("wait")
                && pieces.longest().compareTo(PIECE_MIN) > 0;
    }

    private Answer inPieces(long until) {
        var current = ask(until);
        while (true) {
            var isLast = current.asked() + pieces.longest().toNanos() >= until;
            // Of several, those that are taken are given back when their request ends: nothing is there to take over.
            if (isLast || !wish.isForOne()) {
                return join(current.answer());
            }
            var answer =
                    within(current.answer(), current.asked() + pieces.fresh().toNanos() - System.nanoTime());
            if (answer != null) {
                return answer;
            }
            var next = ask(until);
            answer = join(current.answer());
            if (answer.isGood()) {
                // The next one will speak of the same lease. To hang up on it before it does could give that back.
                hear(next.answer());
                return answer;
            }
            current = next;
        }
    }

    /** One request of a long wait. */
    private record Piece(CompletableFuture<Answer> answer, long asked) {}

    private Piece ask(long until) {
        var asked = System.nanoTime();
        var left = Duration.ofNanos(Math.max(0, until - asked));
        var piece = Durations.min(left, pieces.longest());
        return new Piece(api.postLater(wish.path(), wish.body(piece), piece), asked);
    }

    private void hear(CompletableFuture<Answer> asked) {
        try {
            within(asked, pieces.overlap().toNanos());
        } catch (Failure broken) {
            // It has nothing to say that is not known.
        }
    }

    /** @return null if nothing has come by then */
    private Answer within(CompletableFuture<Answer> asked, long nanos) {
        var timer = new CompletableFuture<Void>().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
        recall.awaitOr(CompletableFuture.anyOf(asked, timer));
        return asked.isDone() || recall.isMade() ? join(asked) : null;
    }

    /** Who is called back hangs up, and leaves the line by that. */
    private Answer join(CompletableFuture<Answer> asked) {
        recall.awaitOr(asked);
        if (recall.isMade() && !asked.isDone()) {
            asked.cancel(true);
            throw recall.failure();
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

    private Taken taken(Answer answer, boolean waited) {
        var body = answer.body();
        var locks = wish.isForOne()
                ? List.of(api.read(body, LockBody.class))
                : api.read(body, LockSetBody.class).locks();
        // With our lock_id it is new, though an answer before this one may have been lost.
        var ours = locks.stream().allMatch(lock -> lock.lockId().equals(wish.lockId()));
        // After a wait, what is left is as of the answer; otherwise it counts from before the question.
        return new Taken(body, locks, ours, waited ? System.nanoTime() : answer.askedNanos());
    }

    /** Whatever came last: an earlier one of our requests may have been carried out, or may still be. */
    private Failure givenUp(Failure failure) {
        if (inDoubt && !wish.named()) {
            releaseIfPossible(api, wish);
        }
        return failure;
    }

    /** Releases whatever was taken by this wish, with whatever token. */
    static Answer release(Api api, Wish wish) {
        return release(api, wish, api.answerMax());
    }

    /** Releases one lease of this wish. It is refused if the lock was lost and taken again: that is another token. */
    static Answer release(Api api, Wish wish, LockBody lease) {
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("lock_id", wish.lockId());
        parameters.put("owner", wish.owner());
        parameters.put("fencing_token", Long.toString(lease.fencingToken()));
        return api.delete(Api.path("v1", "locks", lease.name()) + Api.query(parameters));
    }

    private static Answer release(Api api, Wish wish, Duration patience) {
        var parameters = new LinkedHashMap<String, String>();
        if (!wish.isForOne()) {
            parameters.put("names", String.join(",", wish.names()));
        }
        parameters.put("lock_id", wish.lockId());
        parameters.put("owner", wish.owner());
        return api.delete(wish.path() + Api.query(parameters), patience);
    }

    /**
     * Cleans up: releases all that this wish may have been granted, also by a request that was carried out late, with a
     * token that is not known here. So it names no token. What cannot be released expires.
     */
    static void releaseIfPossible(Api api, Wish wish) {
        try {
            release(api, wish, Durations.min(api.answerMax(), COURTESY_MAX));
        } catch (Failure nobodyThere) {
            // It runs out.
        }
    }

    private static void pause() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MAX.toMillis() / 4, PAUSE_MAX.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Exit.FAILED, "Interrupted.");
        }
    }
}
