package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * The durations that a caller asks for. An absent TTL is taken from the settings.
 *
 * @param waitFor how long to queue if the lock is not free; if absent, the store is asked once
 * @param maxHold how long the service renews the lease; if absent, the holder renews it
 */
public record LeaseTerms(Optional<Duration> ttl, Optional<Duration> waitFor, Optional<Duration> maxHold) {
    public static LeaseTerms once(Duration ttl) {
        return new LeaseTerms(Optional.of(ttl), Optional.empty(), Optional.empty());
    }
}
