package io.holdfast.lock;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The limits of the lock capability. Relations between them are checked by {@link LockLimits} at start. */
@ConfigMapping(prefix = "holdfast.lock")
public interface LockConfig {
    /** How long a lease lasts when the caller does not say. */
    @WithDefault("30m")
    Duration ttlDefault();

    /** Shorter leases are refused: they would run out between two clocks. */
    @WithDefault("1s")
    Duration ttlMin();

    /** Longer leases are refused: a crashed holder blocks its lock that long. */
    @WithDefault("24h")
    Duration ttlMax();

    /** How far two replicas' clocks may lie apart. A takeover waits this much longer; beyond it a replica takes none. */
    @WithDefault("1s")
    Duration maxClockSkew();

    /** How long the record of an ended lease is kept. Shorter saves space; longer keeps the trace of who held it. */
    @WithDefault("24h")
    Duration tombstoneRetention();

    /** The longest a force release may keep a lock closed. */
    @WithDefault("10m")
    Duration lockDelayMax();

    /** Locks in one page of a list when the caller does not say. */
    @WithDefault("100")
    int listLimitDefault();

    /** The most locks in one page of a list. */
    @WithDefault("1000")
    int listLimitMax();

    /** The most records looked at for one page, so that a filter that matches little costs no more than one that does. */
    @WithDefault("5000")
    int listExaminedMax();

    /**
     * How many locks that are in somebody's way are watched for a lease that outlives its own duration. More costs
     * memory; one that is not watched is taken over by the clock alone.
     */
    @WithDefault("10000")
    int observedMax();

    /** How many locks may be taken together. More of them are held for longer by whoever waits for the last one. */
    @WithDefault("16")
    int setMax();

    /**
     * How many abandoned tickets and leases a replica tries to take back at a time while the store does not answer. Those
     * beyond it stay until they expire.
     */
    @WithDefault("10000")
    int cleanupsMax();

    /** How long a replica that is told to stop waits for such clean-up. What is left then expires. */
    @WithDefault("5s")
    Duration cleanupDrainMax();
}
