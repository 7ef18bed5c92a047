package io.holdfast.power.action;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.lock.model.Lease;
import io.holdfast.power.model.PowerConfig;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Settings, clock and probe history of power. Validates the settings. */
@Singleton
public record Timing(PowerConfig config, InstantSource clock, ProbeHistory history) {
    private static final String KEY = "holdfast.power.";
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** A stop order without a lease is sent within this time. Later it is left to the reconciler. */
    private static final Duration WITHOUT_LEASE = Duration.ofSeconds(5);

    public Timing {
        requireAtLeast(KEY + "lock-retry-pause", config.lockRetryPause(), "one millisecond", SHORTEST);
        requireAtLeast(KEY + "lock-max-retries", config.lockMaxRetries(), 0);
        requireAtLeast(KEY + "start-lock-max-retries", config.startLockMaxRetries(), 0);
        requireAtLeast(KEY + "lease-margin", config.leaseMargin(), "zero", Duration.ZERO);
        // So at least half of the lease is left to send an order.
        requireAtLeast(
                KEY + "lock-ttl",
                config.lockTtl(),
                "twice holdfast.power.lease-margin",
                config.leaseMargin().multipliedBy(2));
        requireAtLeast(KEY + "poll-every", config.pollEvery(), "one millisecond", SHORTEST);
        requireAtLeast(KEY + "answer-max", config.answerMax(), "zero", Duration.ZERO);
        requireAtLeast(KEY + "stop-max", config.stopMax(), KEY + "lock-ttl", config.lockTtl());
        requireAtLeast(KEY + "start-max", config.startMax(), KEY + "lock-ttl", config.lockTtl());
        requireAtLeast(KEY + "start-claim", config.startClaim(), "zero", Duration.ZERO);
        requireAtLeast(KEY + "min-up-time", config.minUpTime(), "zero", Duration.ZERO);
        requireAtLeast(KEY + "down-for", config.downFor(), "zero", Duration.ZERO);
        requireAtLeast(KEY + "refused-pause", config.refusedPause(), "zero", Duration.ZERO);
        requireAtLeast(KEY + "recheck-every", config.recheckEvery(), "zero", Duration.ZERO);
        requireAtLeast(KEY + "decision-retention", config.decisionRetention(), "a minute", Duration.ofMinutes(1));
        requireAtLeast(KEY + "max-stops-per-hour", config.maxStopsPerHour(), 0);
        requireAtLeast(KEY + "reconcile-parallel-max", config.reconcileParallelMax(), 1);
    }

    public Instant now() {
        return clock.instant();
    }

    /** Until when an order may be sent under this lease. */
    public Instant orderBy(Lease lease) {
        return lease.expiresAt().minus(config.leaseMargin());
    }

    Instant orderByWithoutLease() {
        return now().plus(WITHOUT_LEASE);
    }

    Instant halfwayTo(Instant until) {
        return now().plus(Duration.between(now(), until).dividedBy(2));
    }

    Instant answerBy() {
        return now().plus(config.answerMax());
    }
}
