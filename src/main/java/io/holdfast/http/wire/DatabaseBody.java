package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.power.model.Overview;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Collection;
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
                List<String> sharers,
        @Schema(description = "What is wanted of it: RUNNING or STOPPED") String desired,
        @Schema(description = "What was decided last and how far that has come, as far as it was seen") String observed,
        @Schema(description = "What keeps it up, as far as was seen at the last look") List<String> blockers,
        @JsonProperty("stop_wished_by") @Schema(description = "The apps that want it stopped")
                List<String> stopWishedBy,
        @JsonProperty("held_by") @Schema(description = "The apps that are starting and need it") List<String> heldBy) {

    public static DatabaseBody of(Database database) {
        var address = database.address();
        return new DatabaseBody(
                database.id().value(),
                database.type(),
                address.host(),
                address.port().orElse(null),
                address.ec2InstanceId().orElse(null),
                ActuatorBody.of(database.actuator()),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** With who uses it, what is wanted of it, and what keeps it up. */
    public DatabaseBody with(Overview overview) {
        return new DatabaseBody(
                id,
                type,
                host,
                port,
                ec2InstanceId,
                actuator,
                overview.snapshot().shared().sharers().stream()
                        .map(sharer -> sharer.app().value())
                        .toList(),
                overview.shouldStop() ? "STOPPED" : "RUNNING",
                overview.snapshot().state().phase().name(),
                overview.blockers(),
                names(overview.stopRequesters()),
                names(overview.claimants()));
    }

    private static List<String> names(Collection<AppName> apps) {
        return apps.stream().map(AppName::value).toList();
    }
}
