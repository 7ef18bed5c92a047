package io.holdfast.power.model;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How databases are stopped and started. */
@ConfigMapping(prefix = "holdfast.power")
public interface PowerConfig {
    /** Off: shared databases are left alone; those with one app still stop. Also {@code SHARED_DB_LOCK_ENABLED}. */
    @WithDefault("${SHARED_DB_LOCK_ENABLED:true}")
    boolean sharedDbLockEnabled();

    /** The lease under which a database is judged and stopped. Also {@code LOCK_TTL_SECONDS}. */
    @WithDefault("${LOCK_TTL_SECONDS:60}s")
    Duration lockTtl();

    /** How often a stop asks again for a lock that is held, before it is skipped. Also {@code LOCK_MAX_RETRIES}. */
    @WithDefault("${LOCK_MAX_RETRIES:3}")
    int lockMaxRetries();

    /** How often a start asks again for it: oftener, because an app waits that has nothing else to do. */
    @WithDefault("12")
    int startLockMaxRetries();

    /** The bound of the random pause before the first of those retries; it doubles with each further one. */
    @WithDefault("200ms")
    Duration lockRetryPause();

    /** What must be left of the lease when an order to stop goes out; less, and it is left to the reconciler. */
    @WithDefault("10s")
    Duration leaseMargin();

    /** How often a database that is stopping or starting is looked at. */
    @WithDefault("1s")
    Duration pollEvery();

    /** How long a request waits for its database to stop or start; after that it answers how far it has come. */
    @WithDefault("25s")
    Duration answerMax();

    /** A stop that has not come to its end after this long is stuck, and somebody is told. */
    @WithDefault("15m")
    Duration stopMax();

    /** A start that has not come to its end after this long has failed; what is wished is looked at again. */
    @WithDefault("15m")
    Duration startMax();

    /** How long a database that was refused to be stopped or started is left in peace before that is tried again. */
    @WithDefault("5m")
    Duration refusedPause();

    /** How often a stopped database is looked at, in case somebody else has started it. */
    @WithDefault("5m")
    Duration recheckEvery();

    /** How long a start keeps its databases from being stopped while the app comes up; then its probe counts. */
    @WithDefault("10m")
    Duration startClaim();

    /** How long a database that was started is left alone. Longer saves start-ups, shorter saves running time. */
    @WithDefault("0s")
    Duration minUpTime();

    /**
     * How long an app that has not asked to stop must be seen down before a look without a request stops its database.
     * Shorter, and an app that only restarts may lose it.
     */
    @WithDefault("2m")
    Duration downFor();

    /** The most databases stopped within an hour, over all replicas. */
    @WithDefault("60")
    int maxStopsPerHour();

    /** How long decisions are kept. */
    @WithDefault("720h")
    Duration decisionRetention();

    /** How often the reconciler looks again at what is not settled; {@code off} switches it off. */
    @WithDefault("30s")
    String reconcileEvery();

    /** How long after its start a replica first reconciles. */
    @WithDefault("5s")
    String reconcileFirstAfter();

    /** Databases that the reconciler has in hand at once. */
    @WithDefault("8")
    int reconcileParallelMax();
}
