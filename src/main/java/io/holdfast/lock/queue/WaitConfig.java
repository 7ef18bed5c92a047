package io.holdfast.lock.queue;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How callers wait for a lock. {@code LockLimits} checks the relations between the settings at start. */
@ConfigMapping(prefix = "holdfast.wait")
public interface WaitConfig {
    String CALLERS_MAX = "holdfast.wait.callers-max";

    /** The longest a caller may wait. */
    @WithDefault("5m")
    Duration max();

    /** The most waiters of one lock, at most 200. Further requests are refused at once. */
    @WithDefault("64")
    int queueMax();

    /** The most callers that wait at one replica, for all locks. Each costs a connection and a few kilobytes. */
    @WithDefault("10000")
    int callersMax();

    /**
     * How long a ticket outlives its replica while the store is available. Each replica confirms all of its tickets in
     * one queue with one write, three times in this duration. Shorter removes the tickets of a crashed replica sooner,
     * and costs more writes. No effect on the embedded store.
     */
    @WithDefault("15s")
    Duration ticketTtl();

    /**
     * The pause before the first waiter reads the lock again after a change. Shorter hands over faster between
     * replicas.
     */
    @WithDefault("50ms")
    Duration pollMin();

    /**
     * The longest pause between two reads. A replica whose waiters are all behind the head of the queue always uses it.
     * Longer costs the store less.
     */
    @WithDefault("1s")
    Duration pollMax();
}
