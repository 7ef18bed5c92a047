package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A registered database.
 *
 * @param type for people and metrics: {@code postgres}, {@code neo4j} …
 */
public record Database(DatabaseId id, String type, Address address, ActuatorSpec actuator) {
    private static final Pattern TYPE = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    public record Address(String host, Optional<Integer> port, Optional<String> ec2InstanceId) {
        static final Pattern INSTANCE = Pattern.compile("i-[0-9a-z]{1,32}");
        private static final int PORT_MAX = 65_535;
        /** Follows "must be". */
        public static final String PORT_ALLOWED = "a whole number from 1 to " + PORT_MAX;

        public Address {
            Text.name("host", host);
            if (port.filter(p -> p < 1 || p > PORT_MAX).isPresent()) {
                throw new InvalidInputException("port", PORT_ALLOWED);
            }
            if (ec2InstanceId.filter(id -> !INSTANCE.matcher(id).matches()).isPresent()) {
                throw new InvalidInputException("ec2_instance_id", "an EC2 instance id such as i-0abc");
            }
            if (port.isEmpty() && ec2InstanceId.isEmpty()) {
                throw new InvalidInputException("port", "given when there is no ec2_instance_id");
            }
        }

        public DatabaseId identifier() {
            return new DatabaseId(ec2InstanceId.orElseGet(() -> host + ":" + port.orElseThrow()));
        }
    }

    public Database {
        if (type == null || !TYPE.matcher(type).matches()) {
            throw new InvalidInputException("type", "a word such as postgres or neo4j");
        }
        if (!id.equals(address.identifier())) {
            throw new InvalidInputException(
                    "id", "the ec2_instance_id, or else host:port, which here is " + address.identifier());
        }
    }
}
