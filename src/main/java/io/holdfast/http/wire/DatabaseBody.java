package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A database as callers see it. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Database")
public record DatabaseBody(
        @Schema(examples = "db.example:5432") String id,
        @Schema(examples = "postgres") String type,
        @Schema(examples = "db.example") String host,
        @Schema(examples = "5432") Integer port,
        @JsonProperty("ec2_instance_id") @Schema(examples = "i-0abc") String ec2InstanceId,
        ActuatorBody actuator,
        @Schema(description = "The apps that use it, where one database is asked for", examples = "[\"billing\"]")
                List<String> sharers) {

    public static DatabaseBody of(Database database) {
        var address = database.address();
        return new DatabaseBody(
                database.id().value(),
                database.type(),
                address.host(),
                address.port().orElse(null),
                address.ec2InstanceId().orElse(null),
                ActuatorBody.of(database.actuator()),
                null);
    }

    public DatabaseBody withSharers(List<AppName> apps) {
        var names = apps.stream().map(AppName::value).toList();
        return new DatabaseBody(id, type, host, port, ec2InstanceId, actuator, names);
    }
}
