package io.holdfast.lock.hold;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How the service renews leases for holders that only send heartbeats. Checked by {@link KeepAliveLimits} at start. */
@ConfigMapping(prefix = "holdfast.renewal")
public interface RenewalConfig {
    String LEASES_MAX = "holdfast.renewal.leases-max";

    /** How much of a lease is over when it is renewed, in percent. Less leaves more time for a store that is slow. */
    @WithDefault("80")
    int atPercent();

    /** A holder that was not heard of for longer is taken for dead, and its lease is left to run out. */
    @WithDefault("60s")
    Duration heartbeatMax();

    /** How long leases are renewed when the caller does not say. A holder that hangs but beats blocks its lock that long. */
    @WithDefault("24h")
    Duration maxHoldDefault();

    /** The longest that a caller may ask for, also of a hold. */
    @WithDefault("168h")
    Duration maxHoldMax();

    /** How many leases one replica renews. Each costs a few hundred bytes and a write whenever it is renewed. */
    @WithDefault("10000")
    int leasesMax();
}
