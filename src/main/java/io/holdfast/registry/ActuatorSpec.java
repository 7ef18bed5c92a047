package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import java.net.URI;
import java.util.Optional;

/** What stops and starts a database. */
public sealed interface ActuatorSpec {
    String kind();

    /** @param region the client's own region if none */
    record Ec2(String instanceId, Optional<String> region) implements ActuatorSpec {
        @Override
        public String kind() {
            return "ec2";
        }
    }

    /** @param cluster whether {@code identifier} is an Aurora cluster's and not an instance's */
    record Rds(String identifier, boolean cluster, Optional<String> region) implements ActuatorSpec {
        @Override
        public String kind() {
            return "rds";
        }
    }

    /** Scales a workload to nothing and back. */
    record Scale(Workload workload) implements ActuatorSpec {
        @Override
        public String kind() {
            return "kubernetes";
        }
    }

    /** Hibernates a CloudNativePG cluster. */
    record CloudNativePg(String namespace, String cluster) implements ActuatorSpec {
        public CloudNativePg {
            Workload.namespace(namespace);
            Workload.objectName("actuator.name", cluster);
        }

        @Override
        public String kind() {
            return "kubernetes";
        }
    }

    /** @param secret signs the calls; never shown */
    record Webhook(URI url, URI statusUrl, Optional<String> secret) implements ActuatorSpec {
        public static final int SECRET_LENGTH_MAX = 256;

        public Webhook {
            ProbeSpec.checkUrl("actuator.url", url);
            ProbeSpec.checkUrl("actuator.status_url", statusUrl);
            if (secret.filter(s -> s.isEmpty() || s.length() > SECRET_LENGTH_MAX)
                    .isPresent()) {
                throw new InvalidInputException("actuator.secret", "1 to " + SECRET_LENGTH_MAX + " characters");
            }
        }

        @Override
        public String kind() {
            return "webhook";
        }

        @Override
        public String toString() {
            return "Webhook[url=" + url + ", statusUrl=" + statusUrl + "]";
        }
    }

    /** Changes nothing but its own memory; for the demo. */
    record Simulated() implements ActuatorSpec {
        @Override
        public String kind() {
            return "simulated";
        }
    }
}
