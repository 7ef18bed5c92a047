package io.holdfast.cli.database;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.http.wire.database.PutActuatorBody;
import java.util.LinkedHashMap;
import java.util.Map;

/** An actuator, field by field. Which fields a kind takes is the service's to say; here it is which there are. */
final class ActuatorFlags {
    private final ApiCommand client;
    private final Map<String, String> left;

    ActuatorFlags(ApiCommand client, Map<String, String> given) {
        this.client = client;
        this.left = new LinkedHashMap<>(given);
    }

    PutActuatorBody body() {
        var body = new PutActuatorBody(
                left.remove("kind"),
                left.remove("instance_id"),
                left.remove("region"),
                left.remove("identifier"),
                flag("cluster", left.remove("cluster")),
                left.remove("namespace"),
                left.remove("workload"),
                left.remove("name"),
                left.remove("cnpg_cluster"),
                left.remove("url"),
                left.remove("status_url"),
                left.remove("secret"));
        if (!left.isEmpty()) {
            throw client.usageError("--actuator has no field '%s'"
                    .formatted(left.keySet().iterator().next()));
        }
        return body;
    }

    private Boolean flag(String field, String value) {
        if (value == null) {
            return null;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw client.usageError("--actuator %s must be true or false".formatted(field));
        };
    }
}
