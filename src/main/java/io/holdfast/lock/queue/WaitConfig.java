package io.holdfast.lock.queue;

import io.holdfast.lock.LockLimits;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How callers wait in line for a lock. Relations are checked by {@link LockLimits} at start. */
@ConfigMapping(prefix = "holdfast.wait")
public interface WaitConfig {
    String CALLERS_MAX = "holdfast.wait.callers-max";

    /** The longest a caller may wait. */
    @WithDefault("5m")
    Duration max();

    /** How many may wait for one lock. Beyond it they are refused at once; at most 200. */
    @WithDefault("64")
    int queueMax();

    /** How many may wait at one replica, for all locks together. Each costs a connection and a few kilobytes. */
    @WithDefault("10000")
    int callersMax();

    /**
     * How long a place in a queue outlives its replica while the store works. Each replica confirms all of its places in one
     * queue with one write, three times in this duration. Shorter frees the queue of a dead replica's places sooner, and
     * costs more writes. Without effect on the embedded store.
     */
    @WithDefault("15s")
    Duration ticketTtl();

    /** How soon the first in line looks again after something has changed. Shorter hands over faster between replicas. */
    @WithDefault("50ms")
    Duration pollMin();

    /** How often it looks at least; those behind it look no more often. Longer costs the store less. */
    @WithDefault("1s")
    Duration pollMax();
}
