package io.holdfast.lock.sweep;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How often and how gently the sweeper works. */
@ConfigMapping(prefix = "holdfast.sweep")
public interface SweepConfig {
    /** The pause between two sweeps; {@code off} switches the sweeper off. No decision about a lock waits for it. */
    @WithDefault("10m")
    String every();

    /** How long after its start a replica first sweeps. */
    @WithDefault("1m")
    String firstAfter();

    /** Records looked at in one step. A step is what the sweeper asks of the store at once. */
    @WithDefault("500")
    int stepSize();

    /** The pause after each step, which leaves the store to the foreground. */
    @WithDefault("250ms")
    Duration stepPause();

    /** A lease that ran out longer ago and was neither given back nor taken over is counted as stale. */
    @WithDefault("5m")
    Duration staleAfter();

    /** The lease of the sweeper's own lock. A replica that dies sweeping is replaced after this long. */
    @WithDefault("60s")
    Duration lockTtl();
}
