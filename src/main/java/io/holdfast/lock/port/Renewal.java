package io.holdfast.lock.port;

import io.holdfast.lock.model.AttemptId;
import java.time.Duration;
import java.util.Optional;

/**
 * How a lease is renewed.
 *
 * @param ttl the new duration; the lease's own if none
 * @param attempt the attempt that the lease belongs to from now on; none leaves it with the one it belongs to
 */
public record Renewal(Optional<Duration> ttl, Optional<AttemptId> attempt) {
    public static Renewal by(Optional<Duration> ttl) {
        return new Renewal(ttl, Optional.empty());
    }
}
