package io.holdfast.cli.database;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.http.wire.database.PutActuatorBody;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds an actuator from KEY=VALUE options. Refuses unknown fields; the service checks which fields a kind needs. */
final class ActuatorFlags {
    private final ApiCommand command;
    private final Map<String, String> left;

    ActuatorFlags(ApiCommand command, Map<String, String> given) {
        this.command = command;
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
            throw command.usageError("--actuator has no field '%s'"
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
            default -> throw command.usageError("--actuator %s must be true or false".formatted(field));
        };
    }
}
