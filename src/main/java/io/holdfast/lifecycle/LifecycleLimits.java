package io.holdfast.lifecycle;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Settings;
import io.holdfast.kernel.Text;
import io.holdfast.lifecycle.action.StatusLockTerms;
import io.holdfast.lifecycle.feed.FeedTerms;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.port.LifecycleRules;
import io.holdfast.lifecycle.reconcile.ReconcileTerms;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The validated settings of services, and the checks of requests against them. */
public record LifecycleLimits(LifecycleConfig config) {
    public static final int REASON_LENGTH_MAX = 256;

    /** The most moves of one part of the feed that are read at once. */
    private static final int FEED_BATCH_MAX = 100;

    private static final int PERCENT_MAX = 50;
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    public LifecycleLimits {
        checkLock(config);
        checkReconciler(config);
        requireAtLeast("holdfast.lifecycle.deploy-deadline", config.deployDeadline(), "1s", SHORTEST);
        requireAtLeast(
                "holdfast.lifecycle.deploy-deadline-max",
                config.deployDeadlineMax(),
                "holdfast.lifecycle.deploy-deadline",
                config.deployDeadline());
        requireAtLeast("holdfast.lifecycle.history-retention", config.historyRetention(), "1h", Duration.ofHours(1));
        requireAtLeast("holdfast.lifecycle.list-limit-default", config.listLimitDefault(), 1);
        requireAtLeast(
                "holdfast.lifecycle.list-limit-max",
                config.listLimitMax(),
                "holdfast.lifecycle.list-limit-default",
                config.listLimitDefault());
        requireAtLeast("holdfast.lifecycle.events-poll-every", config.eventsPollEvery(), "1ms", MILLISECOND);
        requireAtLeast(FeedTerms.READERS_MAX, config.eventsMax(), 1);
        requireAtLeast("holdfast.lifecycle.events-keep-alive", config.eventsKeepAlive(), "1s", SHORTEST);
    }

    private static void checkLock(LifecycleConfig config) {
        requireAtLeast("holdfast.lifecycle.lock-ttl", config.lockTtl(), "1s", SHORTEST);
        requireAtLeast("holdfast.lifecycle.reconcile-lock-ttl", config.reconcileLockTtl(), "1s", SHORTEST);
        requireAtLeast("holdfast.lifecycle.lock-tries", config.lockTries(), 1);
        requireAtLeast("holdfast.lifecycle.lock-retry-pause", config.lockRetryPause(), "1ms", MILLISECOND);
        requireAtLeast("holdfast.lifecycle.lock-retry-jitter", config.lockRetryJitter(), "zero", Duration.ZERO);
        requireAtLeast("holdfast.lifecycle.lock-extend-below", config.lockExtendBelow(), "zero", Duration.ZERO);
        requireAtLeast(
                "holdfast.lifecycle.lock-ttl",
                config.lockTtl(),
                "twice holdfast.lifecycle.lock-extend-below",
                config.lockExtendBelow().multipliedBy(2));
        requireAtLeast(
                "holdfast.lifecycle.reconcile-lock-ttl",
                config.reconcileLockTtl(),
                "twice holdfast.lifecycle.lock-extend-below",
                config.lockExtendBelow().multipliedBy(2));
        requireAtLeast("holdfast.lifecycle.lock-drift-percent", config.lockDriftPercent(), 0);
        if (config.lockDriftPercent() > PERCENT_MAX) {
            throw new IllegalStateException("holdfast.lifecycle.lock-drift-percent (" + config.lockDriftPercent()
                    + ") must be at most " + PERCENT_MAX);
        }
    }

    private static void checkReconciler(LifecycleConfig config) {
        requireAtLeast("holdfast.lifecycle.reconcile-step-size", config.reconcileStepSize(), 1);
        requireAtLeast("holdfast.lifecycle.reconcile-parallel-max", config.reconcileParallelMax(), 1);
        requireAtLeast("holdfast.lifecycle.reconciler-ttl", config.reconcilerTtl(), "5s", Duration.ofSeconds(5));
    }

    public LifecycleRules rules() {
        return new LifecycleRules(config.deployDeadline());
    }

    public StatusLockTerms lockTerms() {
        return new StatusLockTerms(
                config.lockTtl(),
                config.lockTries(),
                config.lockRetryPause(),
                config.lockRetryJitter(),
                config.lockExtendBelow(),
                config.lockDriftPercent());
    }

    /** The reconciler asks for a lock once: its next pass asks again. */
    public ReconcileTerms reconcileTerms() {
        var lock = new StatusLockTerms(
                config.reconcileLockTtl(),
                1,
                config.lockRetryPause(),
                config.lockRetryJitter(),
                config.lockExtendBelow(),
                config.lockDriftPercent());
        return new ReconcileTerms(
                config.reconcileStepSize(), config.reconcileParallelMax(), config.reconcilerTtl(), lock);
    }

    public FeedTerms feedTerms() {
        return new FeedTerms(config.eventsPollEvery(), FEED_BATCH_MAX, config.eventsMax());
    }

    ServiceSpec spec(ServiceSpec asked) {
        return new ServiceSpec(asked.observe(), deadline("deploy_deadline", asked.deployDeadline()));
    }

    Optional<Duration> deadline(String field, Optional<Duration> asked) {
        return asked.map(deadline -> {
            if (deadline.compareTo(SHORTEST) < 0 || deadline.compareTo(config.deployDeadlineMax()) > 0) {
                throw new InvalidInputException(
                        field,
                        "a duration from " + Settings.text(SHORTEST) + " to "
                                + Settings.text(config.deployDeadlineMax()));
            }
            return deadline.truncatedTo(ChronoUnit.MILLIS);
        });
    }

    Optional<String> reason(Optional<String> asked) {
        return asked.map(reason -> Text.reason("reason", reason, REASON_LENGTH_MAX));
    }

    int listLimit(Optional<Integer> asked) {
        var limit = asked.orElse(config.listLimitDefault());
        if (limit < 1 || limit > config.listLimitMax()) {
            throw new InvalidInputException("limit", "a whole number from 1 to " + config.listLimitMax());
        }
        return limit;
    }
}
