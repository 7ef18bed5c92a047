package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/** The actuator of a database, and its parameters. */
public sealed interface ActuatorSpec {
    String kind();

    private static void check(String field, String value, Pattern pattern, String allowed) {
        if (value == null || !pattern.matcher(value).matches()) {
            throw new InvalidInputException(field, allowed);
        }
    }

    private static void checkRegion(Optional<String> region) {
        region.ifPresent(name -> check("actuator.region", name, Ec2.REGION, "an AWS region such as eu-central-1"));
    }

    /** @param region empty for the region of the AWS configuration */
    record Ec2(String instanceId, Optional<String> region) implements ActuatorSpec {
        private static final Pattern REGION = Pattern.compile("[a-z]{2}[a-z0-9-]{1,30}");

        public Ec2 {
            check("actuator.instance_id", instanceId, Database.Address.INSTANCE, "an EC2 instance id such as i-0abc");
            checkRegion(region);
        }

        @Override
        public String kind() {
            return "ec2";
        }
    }

    /** @param cluster whether {@code identifier} names an Aurora cluster; otherwise an instance */
    record Rds(String identifier, boolean cluster, Optional<String> region) implements ActuatorSpec {
        private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,62}");

        public Rds {
            check("actuator.identifier", identifier, IDENTIFIER, "the identifier of an RDS instance or cluster");
            checkRegion(region);
        }

        @Override
        public String kind() {
            return "rds";
        }
    }

    /** Scales a workload to 0 and back. */
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
            Workload.objectName("actuator.cnpg_cluster", cluster);
        }

        @Override
        public String kind() {
            return "kubernetes";
        }
    }

    /** @param secret key of the signature; never part of a response or log */
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

    /** Changes no real database; for the demo. */
    record Simulated() implements ActuatorSpec {
        @Override
        public String kind() {
            return "simulated";
        }
    }
}
