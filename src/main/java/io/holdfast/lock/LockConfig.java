package io.holdfast.lock;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The limits of locks. {@link LockLimits} checks the relations between them at start. */
@ConfigMapping(prefix = "holdfast.lock")
public interface LockConfig {
    /** The TTL of a lease if the request names none. */
    @WithDefault("30m")
    Duration ttlDefault();

    /** The shortest TTL. A shorter lease could expire within the skew of two clocks. */
    @WithDefault("1s")
    Duration ttlMin();

    /** The longest TTL. A crashed holder blocks its lock for this long. */
    @WithDefault("24h")
    Duration ttlMax();

    /** The largest difference between two clocks. A takeover waits this much longer. Beyond it a replica makes none. */
    @WithDefault("1s")
    Duration maxClockSkew();

    /** How long the record of an ended lease is kept. Shorter saves space; longer keeps the last holder visible. */
    @WithDefault("24h")
    Duration tombstoneRetention();

    /** The longest {@code lock_delay} of a force release. */
    @WithDefault("10m")
    Duration lockDelayMax();

    /** Locks in one page of a list if the request names no limit. */
    @WithDefault("100")
    int listLimitDefault();

    /** The most locks in one page of a list. */
    @WithDefault("1000")
    int listLimitMax();

    /** The most records examined for one page. It bounds the cost of a filter that matches few locks. */
    @WithDefault("5000")
    int listExaminedMax();

    /**
     * How many locks a replica observes for leases that stay unchanged beyond their TTL. More costs memory. Other locks
     * are taken over by {@code expires_at} only.
     */
    @WithDefault("10000")
    int observedMax();

    /**
     * The most locks in one set. With more locks, a request holds the first ones longer while it waits for the last.
     */
    @WithDefault("16")
    int setMax();

    /**
     * How many abandoned tickets and leases a replica retries to withdraw while the store does not answer. The others
     * stay until they expire.
     */
    @WithDefault("10000")
    int cleanupsMax();

    /** How long a replica waits for this clean-up at shutdown. Leases and tickets that are left then expire. */
    @WithDefault("5s")
    Duration cleanupDrainMax();
}
