package io.holdfast.remote;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** Settings of the Kubernetes API, for probes and actuators. */
@ConfigMapping(prefix = "holdfast.kubernetes")
public interface KubernetesConfig {
    /**
     * URL of the API server. The default works only inside a cluster. With http neither token nor CA is used: that is
     * for a proxy on the same machine.
     */
    @WithDefault("https://kubernetes.default.svc")
    URI url();

    /** File with the bearer token, read for every call because Kubernetes renews it. If empty, no token is sent. */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount/token")
    Optional<Path> tokenFile();

    /**
     * File with the trusted CA certificates in PEM, read for every call. If empty, the certificates that the machine
     * trusts.
     */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt")
    Optional<Path> caFile();
}
