package io.holdfast.lock.port;

import io.holdfast.kernel.Durations;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockType;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Statistics of the locks that a sweep did not purge, each as of the time at which it was read.
 *
 * @param stale leases that expired long ago and were neither released nor taken over
 * @param longestHeld by type, how long the oldest active lease has been held; contains every type
 */
public record LockStatistics(int stale, Map<LockType, Duration> longestHeld) {
    public static final LockStatistics NONE = new LockStatistics(0, Map.of());

    public LockStatistics {
        var all = new EnumMap<LockType, Duration>(LockType.class);
        for (var type : LockType.values()) {
            all.put(type, longestHeld.getOrDefault(type, Duration.ZERO));
        }
        longestHeld = Collections.unmodifiableMap(all);
    }

    /** @param staleAfter how long ago a lease must have expired to count as stale */
    public static LockStatistics of(LockRecord record, Duration staleAfter, Instant now) {
        return switch (record.statusAt(now)) {
            case ACTIVE -> held(record.lease(), now);
            case EXPIRED ->
                record.lease().expiresAt().plus(staleAfter).isBefore(now) ? new LockStatistics(1, Map.of()) : NONE;
            case RELEASING, RELEASED -> NONE;
        };
    }

    public LockStatistics plus(LockStatistics other) {
        var longest = new EnumMap<LockType, Duration>(LockType.class);
        longestHeld.forEach((type, age) -> longest.put(type, Durations.max(age, other.longestHeld.get(type))));
        return new LockStatistics(stale + other.stale, longest);
    }

    /** The age is negative if a replica with a clock ahead of this one has granted the lease. */
    private static LockStatistics held(Lease lease, Instant now) {
        var age = Duration.between(lease.term().acquiredAt(), now);
        return new LockStatistics(0, Map.of(lease.labels().type(), Durations.max(age, Duration.ZERO)));
    }
}
