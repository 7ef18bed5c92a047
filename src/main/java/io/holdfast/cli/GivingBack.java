package io.holdfast.cli;

import java.time.Duration;
import java.util.function.Consumer;

/** Gives locks back when the work is done, and finds out whether they were ours until then. */
final class GivingBack {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Api api;
    private final Wish wish;

    GivingBack(Api api, Wish wish) {
        this.api = api;
        this.wish = wish;
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
        var doubt = false;
        while (true) {
            Failure failure;
            try {
                var answer = Taker.release(api, wish);
                if (answer.isGood() || answer.code().equals("lock-not-held")) {
                    // An earlier request of ours may have done it.
                    return doubt || answer.body().path("released").asBoolean();
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
                        .formatted(failure.getMessage(), String.join(", ", wish.names()), Durations.words(remaining)));
                return true;
            }
            Thread.sleep(PAUSE);
        }
    }
}
