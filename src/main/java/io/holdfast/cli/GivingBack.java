package io.holdfast.cli;

import io.holdfast.http.wire.LockBody;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gives locks back when the work is done, and finds out whether they were ours until then. Each lease is released by its
 * own fencing token: a lock that was lost and taken again in between is found to be lost.
 */
final class GivingBack {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Api api;
    private final Wish wish;
    private final List<LockBody> leases;

    private enum Outcome {
        OURS,
        LOST,
        UNANSWERED
    }

    GivingBack(Api api, Wish wish, List<LockBody> leases) {
        this.api = api;
        this.wish = wish;
        this.leases = leases;
    }

    /** @return false if they were surely not */
    boolean isOursToTheEnd(Consumer<String> notes, Guard guard) throws InterruptedException {
        var asking = guard.isAsking();
        var ours = isOursToTheEnd(notes, guard.remaining());
        if (asking) {
            Taker.releaseIfPossible(api, wish);
        }
        return ours;
    }

    boolean isOursToTheEnd(Consumer<String> notes, Duration remaining) throws InterruptedException {
        var until = System.nanoTime() + api.answerMax().toNanos();
        var ours = true;
        for (var lease : leases) {
            switch (outcome(lease, until, notes, remaining)) {
                case OURS -> {}
                case LOST -> ours = false;
                case UNANSWERED -> {
                    return ours;
                }
            }
        }
        return ours;
    }

    private Outcome outcome(LockBody lease, long answerUntil, Consumer<String> notes, Duration remaining)
            throws InterruptedException {
        var until = answerUntil;
        var doubt = false;
        while (true) {
            Failure failure;
            try {
                var answer = Taker.release(api, wish, lease);
                if (answer.isGood() || answer.code().equals("lock-not-held")) {
                    // An earlier request of ours may have done it.
                    var released = doubt || answer.body().path("released").asBoolean();
                    return released ? Outcome.OURS : Outcome.LOST;
                }
                failure = answer.failure();
                if (!answer.isPassing() && !answer.code().isEmpty()) {
                    until = System.nanoTime();
                }
            } catch (Failure unanswered) {
                failure = unanswered;
            }
            doubt = doubt || failure.isInDoubt();
            if (System.nanoTime() >= until) {
                notes.accept("%s %s will be free in %s at the latest."
                        .formatted(
                                failure.getMessage(), String.join(", ", wish.names()), DurationText.words(remaining)));
                return Outcome.UNANSWERED;
            }
            Thread.sleep(PAUSE);
        }
    }
}
