package io.holdfast.lock.port;

import io.holdfast.lock.model.AttemptId;
import java.time.Duration;
import java.util.Optional;

/**
 * The changes that a renewal makes to a lease.
 *
 * @param ttl the new TTL; if absent, it stays the same
 * @param attempt the attempt that the lease moves to; if absent, it stays with its attempt
 */
public record Renewal(Optional<Duration> ttl, Optional<AttemptId> attempt) {
    public static Renewal by(Optional<Duration> ttl) {
        return new Renewal(ttl, Optional.empty());
    }
}
