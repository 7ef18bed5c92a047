package io.holdfast.job;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The limits of clusters and jobs. {@link JobLimits} checks the relations between them at start. */
@ConfigMapping(prefix = "holdfast.jobs")
public interface JobConfig {
    /** How long a claim is valid without a heartbeat. Longer survives longer outages; shorter finds a crash sooner. */
    @WithDefault("60m")
    Duration lease();

    /** How often a worker should send a heartbeat. Workers are told with their claim. */
    @WithDefault("5m")
    Duration heartbeatEvery();

    /** The longest run of each type, if the submission names none. Heartbeats do not extend it. */
    Deadlines deadline();

    /** The longest deadline that a submission may name. */
    @WithDefault("24h")
    Duration deadlineMax();

    /** The longest {@code ttl} of a cluster. */
    @WithDefault("3650d")
    Duration ttlMax();

    /** How many runs a job may have before it is a dead letter. */
    @WithDefault("3")
    int attemptsMax();

    /** The pause before the second attempt. Doubles with each further attempt. */
    @WithDefault("5m")
    Duration retryDelay();

    /** The longest pause before an attempt. */
    @WithDefault("30m")
    Duration retryDelayMax();

    /** The most jobs in the queue of one cluster. At most 30, so that all of them end in one transaction. */
    @WithDefault("30")
    int queueMax();

    /** How long ended jobs, dead letters, destroyed clusters and idempotency keys are kept. */
    @WithDefault("14d")
    Duration retention();

    /** The longest {@code wait} of a claim. */
    @WithDefault("60s")
    Duration waitMax();

    /** The most workers that wait at one replica. */
    @WithDefault("10000")
    int waitingMax();

    /** How often a replica looks for jobs of other replicas while workers wait at it. Shorter costs more requests. */
    @WithDefault("5s")
    Duration pollEvery();

    /** Clusters or jobs in one page of a list if the request names no limit. */
    @WithDefault("50")
    int listLimitDefault();

    /** The most clusters or jobs in one page of a list. */
    @WithDefault("500")
    int listLimitMax();

    /** The janitor, which ends the runs of dead workers. */
    Janitor janitor();

    interface Deadlines {
        @WithDefault("3h")
        Duration create();

        @WithDefault("3h")
        Duration destroy();

        @WithDefault("3h")
        Duration scaleWorkers();

        @WithDefault("3h")
        Duration janitorDestroy();
    }

    interface Janitor {
        /** The pause between two passes; {@code off} disables the janitor at this replica. */
        @WithDefault("1m")
        String every();

        /** The delay of the first pass after the start of a replica. */
        @WithDefault("10s")
        String firstAfter();

        /** How long a lease must have expired before the janitor ends the run. */
        @WithDefault("5m")
        Duration rescueAfter();

        /** How many records the janitor reads in one step. */
        @WithDefault("100")
        int stepSize();

        /** The TTL of the janitor's own lock. After a crash, another replica continues after this time. */
        @WithDefault("60s")
        Duration lockTtl();
    }
}
