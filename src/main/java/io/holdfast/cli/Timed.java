package io.holdfast.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * An answer and how long it took.
 *
 * @param halfway between question and answer, by the clock here
 */
record Timed(Answer answer, Duration roundTrip, Instant halfway) {
    static Timed get(Api api, String path, InstantSource clock) {
        var asked = clock.instant();
        var began = System.nanoTime();
        var answer = api.get(path);
        var took = Duration.ofNanos(System.nanoTime() - began);
        return new Timed(answer, took, asked.plus(took.dividedBy(2)));
    }
}
