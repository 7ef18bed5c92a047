package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * What is not said is left to the settings.
 *
 * @param waitFor how long to stand in line if another holds it; none asks once
 * @param maxHold how long the service may renew the lease by itself; none leaves that to the holder
 */
public record LeaseTerms(Optional<Duration> ttl, Optional<Duration> waitFor, Optional<Duration> maxHold) {
    public static LeaseTerms once(Duration ttl) {
        return new LeaseTerms(Optional.of(ttl), Optional.empty(), Optional.empty());
    }
}
