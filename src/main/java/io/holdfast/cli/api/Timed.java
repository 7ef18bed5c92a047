package io.holdfast.cli.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * An answer and how long it took.
 *
 * @param halfway between question and answer, by the clock here
 */
public record Timed(ApiResponse answer, Duration roundTrip, Instant halfway) {
    public static Timed get(ApiClient api, String path, InstantSource clock) {
        var asked = clock.instant();
        var began = System.nanoTime();
        var response = api.get(path);
        var took = Duration.ofNanos(System.nanoTime() - began);
        return new Timed(response, took, asked.plus(took.dividedBy(2)));
    }
}
