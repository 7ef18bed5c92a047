package io.holdfast.lock.sweep;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How often the sweeper runs, and how much load it puts on the store. */
@ConfigMapping(prefix = "holdfast.sweep")
public interface SweepConfig {
    /** The pause between two sweeps; {@code off} disables the sweeper. No decision about a lock depends on it. */
    @WithDefault("10m")
    String every();

    /** The delay of the first sweep after the start of a replica. */
    @WithDefault("1m")
    String firstAfter();

    /** The records that the store examines in one step. */
    @WithDefault("500")
    int stepSize();

    /** The pause after each step, which leaves the capacity of the store to requests. */
    @WithDefault("250ms")
    Duration stepPause();

    /** A lease counts as stale if it expired longer ago than this and was neither released nor taken over. */
    @WithDefault("5m")
    Duration staleAfter();

    /** The TTL of the sweeper's own lock. After a crash, another replica sweeps after this time. */
    @WithDefault("60s")
    Duration lockTtl();
}
