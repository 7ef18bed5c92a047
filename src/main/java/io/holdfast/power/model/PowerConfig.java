package io.holdfast.power.model;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings for stopping and starting databases. */
@ConfigMapping(prefix = "holdfast.power")
public interface PowerConfig {
    /** If off, only databases with one app are stopped. Also {@code SHARED_DB_LOCK_ENABLED}. */
    @WithDefault("${SHARED_DB_LOCK_ENABLED:true}")
    boolean sharedDbLockEnabled();

    /** The TTL of the lock of a database during a decision. Also {@code LOCK_TTL_SECONDS}. */
    @WithDefault("${LOCK_TTL_SECONDS:60}s")
    Duration lockTtl();

    /** How often a stop retries to acquire the lock before it is skipped. Also {@code LOCK_MAX_RETRIES}. */
    @WithDefault("${LOCK_MAX_RETRIES:3}")
    int lockMaxRetries();

    /** How often a start retries to acquire the lock: more often, because an app waits for the database. */
    @WithDefault("12")
    int startLockMaxRetries();

    /** The upper bound of the random pause before the first of those retries. It doubles with each retry. */
    @WithDefault("200ms")
    Duration lockRetryPause();

    /** Remaining lease time that a stop order needs. With less, the order is left to the reconciler. */
    @WithDefault("10s")
    Duration leaseMargin();

    /** How often the state of a stopping or starting database is read. */
    @WithDefault("1s")
    Duration pollEvery();

    /** How long a request waits for its database to stop or start; then it answers with the progress. */
    @WithDefault("25s")
    Duration answerMax();

    /** A stop that has not completed after this time is STOP_STUCK. */
    @WithDefault("15m")
    Duration stopMax();

    /** A start that has not completed after this time has failed. */
    @WithDefault("15m")
    Duration startMax();

    /** The pause before the reconciler retries an order that the actuator refused. */
    @WithDefault("5m")
    Duration refusedPause();

    /** How often the state of a stopped database is read, in case it was started outside Holdfast. */
    @WithDefault("5m")
    Duration recheckEvery();

    /** How long a start claim prevents a stop while the app starts. After that, the app's probe counts. */
    @WithDefault("10m")
    Duration startClaim();

    /** How long a started database is not stopped. Longer saves restarts, shorter saves running time. */
    @WithDefault("0s")
    Duration minUpTime();

    /**
     * How long an app without a stop request must be down before the reconciler stops its database. If it is too short,
     * a restarting app may lose its database.
     */
    @WithDefault("2m")
    Duration downFor();

    /** The maximum number of stops per hour, across all replicas. */
    @WithDefault("60")
    int maxStopsPerHour();

    @WithDefault("720h")
    Duration decisionRetention();

    /** How often the reconciler checks the pending databases; {@code off} disables it. */
    @WithDefault("30s")
    String reconcileEvery();

    /** The delay of the first reconciliation after the start of a replica. */
    @WithDefault("5s")
    String reconcileFirstAfter();

    /** How many databases the reconciler checks in parallel. */
    @WithDefault("8")
    int reconcileParallelMax();
}
