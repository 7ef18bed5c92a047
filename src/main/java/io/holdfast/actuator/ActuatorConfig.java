package io.holdfast.actuator;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** How databases are reached by what stops and starts them. */
@ConfigMapping(prefix = "holdfast.actuator")
public interface ActuatorConfig {
    /**
     * A call to AWS, Kubernetes or a webhook without an answer is given up after this. The order is tried again later,
     * and what the first one did is in doubt until the state is read.
     */
    @WithDefault("5s")
    Duration callTimeout();

    /** The Kubernetes API server. Outside a cluster nothing answers at the default, and Kubernetes databases stay as they are. */
    @WithDefault("https://kubernetes.default.svc")
    URI kubernetesUrl();

    /** The file with the bearer token for Kubernetes, read before every call because it is replaced while we run. */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount/token")
    Path kubernetesTokenFile();

    /** The only certificates that an https API server is trusted by, read before every call as well. */
    @WithDefault("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt")
    Path kubernetesCaFile();

    /** Where EC2 is called instead of at AWS: a VPC endpoint, or a stand-in. Empty means AWS. */
    Optional<URI> ec2Endpoint();

    /** Where RDS is called instead of at AWS: a VPC endpoint, or a stand-in. Empty means AWS. */
    Optional<URI> rdsEndpoint();

    /** How long a simulated database pretends to be stopping or starting. */
    @WithDefault("1s")
    Duration simulatedDuration();
}
