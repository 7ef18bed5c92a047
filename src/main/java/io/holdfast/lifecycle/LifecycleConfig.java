package io.holdfast.lifecycle;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The limits of services. {@link LifecycleLimits} checks the relations between them at start. */
@ConfigMapping(prefix = "holdfast.lifecycle")
public interface LifecycleConfig {
    /** The TTL of a service's lock while its status is written. After a crash, other writers wait so long. */
    @WithDefault("10s")
    Duration lockTtl();

    /** How often a writer asks for the lock of a service before its write is refused. */
    @WithDefault("10")
    int lockTries();

    /** The pause between two tries. */
    @WithDefault("200ms")
    Duration lockRetryPause();

    /** At most this much is added to a pause, so that writers that have collided do not collide again. */
    @WithDefault("100ms")
    Duration lockRetryJitter();

    /** A lock is extended when less than this is left of its TTL and the write is not done. */
    @WithDefault("500ms")
    Duration lockExtendBelow();

    /** By how much of its TTL a lock is relied on for less, in percent, because clocks run differently. */
    @WithDefault("1")
    int lockDriftPercent();

    /** The pause between two passes of the reconciler; {@code off} disables it at this replica. */
    @WithDefault("30s")
    String reconcileEvery();

    /** The delay of the first pass after the start of a replica. */
    @WithDefault("10s")
    String reconcileFirstAfter();

    /** The TTL of a service's lock while the reconciler repairs its status. */
    @WithDefault("5s")
    Duration reconcileLockTtl();

    /** How many services the reconciler reads in one step. */
    @WithDefault("100")
    int reconcileStepSize();

    /** How many services the reconciler observes at the same time. More is faster, and needs as many sockets. */
    @WithDefault("32")
    int reconcileParallelMax();

    /** The TTL of the reconciler's own lock. After a crash, another replica continues after this time. */
    @WithDefault("90s")
    Duration reconcilerTtl();

    /** How long a deployment may take before the reconciler repairs its status, if nothing else says so. */
    @WithDefault("15m")
    Duration deployDeadline();

    /** The longest deadline that a deployment or a service may have. */
    @WithDefault("24h")
    Duration deployDeadlineMax();

    /** How long moves are kept in the history, and readers of events can resume. */
    @WithDefault("30d")
    Duration historyRetention();

    /** Services or moves in one page of a list if the request names no limit. */
    @WithDefault("50")
    int listLimitDefault();

    /** The most services or moves in one page of a list. */
    @WithDefault("500")
    int listLimitMax();

    /** How often a replica looks for the moves of other replicas while event streams wait at it. */
    @WithDefault("1s")
    Duration eventsPollEvery();

    /** The most event streams at one replica. */
    @WithDefault("1000")
    int eventsMax();

    /** An event stream without a move sends a comment so often, so that proxies do not end it. */
    @WithDefault("15s")
    Duration eventsKeepAlive();
}
