package io.holdfast.actuator;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Settings of the actuators. */
@ConfigMapping(prefix = "holdfast.actuator")
public interface ActuatorConfig {
    /**
     * Timeout of a call to AWS, Kubernetes or a webhook. The order is retried later. Until the state is read, the
     * effect of the first call is unknown.
     */
    @WithDefault("5s")
    Duration callTimeout();

    /**
     * Maximum number of parallel calls to AWS in this process, each on its own thread. Further calls are queued, and
     * dropped if they time out in the queue.
     */
    @WithDefault("16")
    int awsParallelMax();

    /** Endpoint of EC2, such as a VPC endpoint. Empty for the default of AWS. */
    Optional<URI> ec2Endpoint();

    /** Endpoint of RDS, such as a VPC endpoint. Empty for the default of AWS. */
    Optional<URI> rdsEndpoint();

    /** How long a simulated database takes to stop or start. */
    @WithDefault("1s")
    Duration simulatedDuration();
}
