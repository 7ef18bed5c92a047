package io.holdfast.cli.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A response and how long it took.
 *
 * @param halfway between request and response, by the local clock
 */
public record TimedResponse(ApiResponse answer, Duration roundTrip, Instant halfway) {
    public static TimedResponse get(ApiClient api, String path, InstantSource clock) {
        var sentAt = clock.instant();
        var sent = System.nanoTime();
        var response = api.get(path);
        var took = Duration.ofNanos(System.nanoTime() - sent);
        return new TimedResponse(response, took, sentAt.plus(took.dividedBy(2)));
    }
}
