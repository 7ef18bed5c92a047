package io.holdfast.probe;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** How apps are asked whether they are up. */
@ConfigMapping(prefix = "holdfast.probe")
public interface ProbeConfig {
    /**
     * One look at an app, from its first step to the headers of its answer, is given up after this, and the app is
     * UNKNOWN. Longer is patient with slow apps, and every stop of a shared database may take that much longer.
     */
    @WithDefault("${QUICK_STATUS_TIMEOUT:3s}")
    Duration timeout();

    /**
     * A look at an app, its wait for its turn included, is given up after this, and the app is UNKNOWN. Longer judges
     * more apps in a rush, and whoever asks about them waits longer.
     */
    @WithDefault("20s")
    Duration runMax();

    /**
     * The most looks under way at once in this process. The others wait their turn, and {@link #timeout} runs from its start.
     * More judges databases with many sharers faster and needs as many sockets.
     */
    @WithDefault("256")
    int parallelMax();

    /** The pause between two looks that must agree on DOWN. Longer rides out a longer restart of an app. */
    @WithDefault("250ms")
    Duration confirmationPause();

    /**
     * When set, its {@code /status/quick?app=} is asked and believed instead of looking at the apps from here. Apps it
     * does not answer for are UNKNOWN.
     */
    @WithDefault("${API_GATEWAY_URL:}")
    Optional<URI> apiGatewayUrl();
}
