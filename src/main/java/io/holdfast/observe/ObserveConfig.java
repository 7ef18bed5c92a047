package io.holdfast.observe;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Settings of the observation of services. {@link Observers} checks them at start. */
@ConfigMapping(prefix = "holdfast.lifecycle.observe")
public interface ObserveConfig {
    /**
     * The time over which restarts, and changes between UP and DOWN, are counted. Longer finds slower crash loops, and
     * a service that has recovered stays CRASHING for longer.
     */
    @WithDefault("10m")
    Duration crashWindow();

    /** How many restarts of a container within {@link #crashWindow} make its pod crashing. */
    @WithDefault("3")
    int crashRestarts();

    /** How many changes between UP and DOWN within {@link #crashWindow} make a service with a URL CRASHING. */
    @WithDefault("4")
    int flapChanges();

    /**
     * How long a pod may take to become ready, and how long a deleted pod may be overdue. Until then a service without a
     * ready pod is UNKNOWN, then STOPPED.
     */
    @WithDefault("2m")
    Duration startGrace();

    /**
     * How many services with a URL, and how many with a workload, have their earlier looks remembered. Beyond it the
     * service that was looked at the longest time ago is forgotten, and its restarts and changes count anew.
     */
    @WithDefault("20000")
    int rememberedMax();
}
