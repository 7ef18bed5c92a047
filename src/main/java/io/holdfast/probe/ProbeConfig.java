package io.holdfast.probe;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
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
     * The most looks under way at once in this process. The others wait their turn, and their time runs from its start.
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

    /** The Kubernetes API server. Over plain http neither token nor CA is used: that is for a proxy on this machine. */
    @WithDefault("https://kubernetes.default.svc")
    URI kubernetesUrl();

    /** Holds the bearer token; read for each look, so that a renewed one is taken up. Empty: no token is sent. */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount/token")
    Optional<Path> kubernetesTokenFile();

    /** The only certificates, in PEM, that the API server is believed by. Empty: those the machine trusts. */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt")
    Optional<Path> kubernetesCaFile();
}
