package io.holdfast.lock.hold;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How the service renews leases for holders that send heartbeats. {@link KeepAliveLimits} checks it at start. */
@ConfigMapping(prefix = "holdfast.renewal")
public interface RenewalConfig {
    String LEASES_MAX = "holdfast.renewal.leases-max";

    /** The percentage of the TTL after which a lease is renewed. Less leaves more time for retries. */
    @WithDefault("80")
    int atPercent();

    /** The longest time without a heartbeat. After that, the lease is not renewed and expires. */
    @WithDefault("60s")
    Duration heartbeatMax();

    /**
     * The {@code max_hold} if the request names none. A hung holder that sends heartbeats blocks its lock for this
     * long.
     */
    @WithDefault("24h")
    Duration maxHoldDefault();

    /** The longest {@code max_hold}, also of a hold. */
    @WithDefault("168h")
    Duration maxHoldMax();

    /** The most leases that one replica renews. Each costs a few hundred bytes, and a write per renewal. */
    @WithDefault("10000")
    int leasesMax();
}
