package io.holdfast.remote;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** How the Kubernetes API is reached, by probes and by actuators. */
@ConfigMapping(prefix = "holdfast.kubernetes")
public interface KubernetesConfig {
    /**
     * The API server. Outside a cluster nothing answers at the default, and what is in Kubernetes stays as it is. Over
     * plain http neither token nor CA is used: that is for a proxy on this machine.
     */
    @WithDefault("https://kubernetes.default.svc")
    URI url();

    /** Holds the bearer token; read for every call, so that a renewed one is taken up. Empty: no token is sent. */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount/token")
    Optional<Path> tokenFile();

    /**
     * The only certificates, in PEM, that the API server is believed by; read for every call as well. Empty: those the
     * machine trusts.
     */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt")
    Optional<Path> caFile();
}
