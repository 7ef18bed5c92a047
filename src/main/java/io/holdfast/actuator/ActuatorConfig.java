package io.holdfast.actuator;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
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

    /**
     * The most calls to AWS under way at once in this process, each with a thread of its own. The others wait, and are
     * not made if their time is over before it is their turn.
     */
    @WithDefault("16")
    int awsParallelMax();

    /** Where EC2 is called instead of at AWS: a VPC endpoint, or a stand-in. Empty means AWS. */
    Optional<URI> ec2Endpoint();

    /** Where RDS is called instead of at AWS: a VPC endpoint, or a stand-in. Empty means AWS. */
    Optional<URI> rdsEndpoint();

    /** How long a simulated database pretends to be stopping or starting. */
    @WithDefault("1s")
    Duration simulatedDuration();
}
