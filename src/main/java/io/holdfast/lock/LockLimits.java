package io.holdfast.lock;

import static io.holdfast.kernel.Settings.requireAtLeast;
import static io.holdfast.kernel.Settings.text;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.queue.WaitConfig;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The validated lock settings, and the checks of requests against them. */
public record LockLimits(LockConfig config, WaitConfig waiting) {
    /** Bounded by the size of a DynamoDB item and of the expression that removes all tickets from it. */
    private static final int QUEUE_MAX_MAX = 200;

    public LockLimits {
        requireAtLeast("holdfast.lock.max-clock-skew", config.maxClockSkew(), "zero", Duration.ZERO);
        requireAtLeast("holdfast.lock.ttl-min", config.ttlMin(), "one millisecond", Duration.ofMillis(1));
        requireAtLeast("holdfast.lock.ttl-default", config.ttlDefault(), "holdfast.lock.ttl-min", config.ttlMin());
        requireAtLeast("holdfast.lock.ttl-max", config.ttlMax(), "holdfast.lock.ttl-default", config.ttlDefault());
        requireAtLeast("holdfast.lock.lock-delay-max", config.lockDelayMax(), "zero", Duration.ZERO);
        // The first token of a new record is the time in microseconds. Clock skew must not make it lower than an old
        // token.
        requireAtLeast(
                "holdfast.lock.tombstone-retention",
                config.tombstoneRetention(),
                "a minute more than holdfast.lock.max-clock-skew",
                config.maxClockSkew().plusMinutes(1));
        requireAtLeast("holdfast.lock.list-limit-default", config.listLimitDefault(), 1);
        requireAtLeast(
                "holdfast.lock.list-limit-max",
                config.listLimitMax(),
                "holdfast.lock.list-limit-default",
                config.listLimitDefault());
        requireAtLeast(
                "holdfast.lock.list-examined-max",
                config.listExaminedMax(),
                "holdfast.lock.list-limit-max",
                config.listLimitMax());
        requireAtLeast("holdfast.lock.set-max", config.setMax(), 1);
        requireAtLeast("holdfast.lock.observed-max", config.observedMax(), 1);
        requireAtLeast("holdfast.wait.max", waiting.max(), "zero", Duration.ZERO);
        requireAtLeast(LockRules.QUEUE_MAX, waiting.queueMax(), 1);
        if (waiting.queueMax() > QUEUE_MAX_MAX) {
            throw new IllegalStateException(
                    LockRules.QUEUE_MAX + " (" + waiting.queueMax() + ") must be at most " + QUEUE_MAX_MAX);
        }
        requireAtLeast(WaitConfig.CALLERS_MAX, waiting.callersMax(), 1);
        requireAtLeast("holdfast.wait.poll-min", waiting.pollMin(), "1ms", Duration.ofMillis(1));
        requireAtLeast("holdfast.wait.poll-max", waiting.pollMax(), "holdfast.wait.poll-min", waiting.pollMin());
        requireAtLeast(
                "holdfast.wait.ticket-ttl",
                waiting.ticketTtl(),
                "three times holdfast.lock.max-clock-skew",
                config.maxClockSkew().multipliedBy(3));
        requireAtLeast("holdfast.wait.ticket-ttl", waiting.ticketTtl(), "one second", Duration.ofSeconds(1));
        requireAtLeast("holdfast.lock.cleanups-max", config.cleanupsMax(), 1);
        requireAtLeast("holdfast.lock.cleanup-drain-max", config.cleanupDrainMax(), "zero", Duration.ZERO);
        // A record with waiters must not be purged.
        requireAtLeast(
                "holdfast.lock.tombstone-retention",
                config.tombstoneRetention(),
                "a minute more than holdfast.wait.max",
                waiting.max().plusMinutes(1));
    }

    public LockRules rules() {
        return new LockRules(config.maxClockSkew(), config.tombstoneRetention(), waiting.queueMax(), true);
    }

    public Duration ttl(Optional<Duration> asked) {
        return asked.map(ttl -> within("ttl", ttl, config.ttlMin(), config.ttlMax()))
                .orElse(config.ttlDefault());
    }

    Duration lockDelay(Optional<Duration> asked) {
        return asked.map(delay -> within("lock_delay", delay, Duration.ZERO, config.lockDelayMax()))
                .orElse(Duration.ZERO);
    }

    /** @return empty if the caller does not wait */
    public Optional<Duration> waitAllowed(Optional<Duration> asked) {
        return asked.map(wait -> within("wait", wait, Duration.ZERO, waiting.max()))
                .filter(Duration::isPositive);
    }

    public void checkSetSize(int size) {
        if (size > config.setMax()) {
            throw new InvalidInputException("names", "at most " + config.setMax() + " names");
        }
    }

    LockQuery.Bounds listBounds(Optional<Integer> asked) {
        var limit = asked.orElse(config.listLimitDefault());
        if (limit < 1 || limit > config.listLimitMax()) {
            throw new InvalidInputException("limit", "a whole number from 1 to " + config.listLimitMax());
        }
        return new LockQuery.Bounds(limit, config.listExaminedMax());
    }

    /** @param field names the value in the error message */
    public static Duration within(String field, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new InvalidInputException(field, "a duration from " + text(min) + " to " + text(max));
        }
        // Stores keep milliseconds. The caller must not be promised more than is stored.
        return value.truncatedTo(ChronoUnit.MILLIS);
    }
}
