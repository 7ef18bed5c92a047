package io.holdfast.lock.hold;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How locks are held by a connection. {@link KeepAliveLimits} checks the relations between the settings at start. */
@ConfigMapping(prefix = "holdfast.hold")
public interface HoldConfig {
    String CONNECTIONS_MAX = "holdfast.hold.connections-max";

    /** The TTL of a hold if the request names none. The lock of a crashed replica stays blocked for this long. */
    @WithDefault("60s")
    Duration ttlDefault();

    /**
     * The longest pause between two ticks; a hold with a short TTL has ten ticks per TTL. Longer costs less traffic,
     * and the loss of a client is detected later.
     */
    @WithDefault("10s")
    Duration tickMax();

    /** The most holds at one replica. Each costs a connection, and three renewals per TTL. */
    @WithDefault("1000")
    int connectionsMax();
}
