package io.holdfast.lock.hold;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How locks are held by a connection. Relations are checked by {@link KeepAliveLimits} at start. */
@ConfigMapping(prefix = "holdfast.hold")
public interface HoldConfig {
    String CONNECTIONS_MAX = "holdfast.hold.connections-max";

    /** How long the lease of a hold lasts when the caller does not say. A replica that dies blocks the lock that long. */
    @WithDefault("60s")
    Duration ttlDefault();

    /**
     * The longest pause between two ticks; a hold with a short lease ticks ten times in it. Longer costs less traffic,
     * and a client that is cut off is noticed later.
     */
    @WithDefault("10s")
    Duration tickMax();

    /** How many may hold locks by a connection at one replica. Each costs a connection and a renewal now and then. */
    @WithDefault("1000")
    int connectionsMax();
}
