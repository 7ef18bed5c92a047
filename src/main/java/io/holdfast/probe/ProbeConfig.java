package io.holdfast.probe;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Settings of the probes. */
@ConfigMapping(prefix = "holdfast.probe")
public interface ProbeConfig {
    /**
     * Timeout of one probe, up to the headers of the answer. After it the app is UNKNOWN. Longer allows for slow apps,
     * and makes stops of shared databases slower.
     */
    @WithDefault("${QUICK_STATUS_TIMEOUT:3s}")
    Duration timeout();

    /**
     * Timeout of one probe including its time in the queue. After it the app is UNKNOWN. Longer allows for more apps at
     * once, and makes requests wait longer.
     */
    @WithDefault("20s")
    Duration runMax();

    /**
     * Maximum number of parallel probes in this process. Further probes are queued, and {@link #timeout} starts after
     * the queue. More is faster for databases with many sharers, and needs as many sockets.
     */
    @WithDefault("256")
    int parallelMax();

    /** The pause between two probes that confirm DOWN. Longer allows for longer restarts of an app. */
    @WithDefault("250ms")
    Duration confirmationPause();

    /**
     * If set, stops use {@code /status/quick?app=} of this status gateway instead of probing the apps. Apps without an
     * answer of the gateway are UNKNOWN.
     */
    @WithDefault("${API_GATEWAY_URL:}")
    Optional<URI> apiGatewayUrl();
}
