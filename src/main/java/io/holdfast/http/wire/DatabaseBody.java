package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.power.model.Overview;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Collection;
import java.util.List;

/** A database as callers see it. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DatabaseBody(
        String id,
        String type,
        String host,
        Integer port,
        @JsonProperty("ec2_instance_id") String ec2InstanceId,
        ActuatorBody actuator,
        List<String> sharers,
        String desired,
        String observed,
        List<String> blockers,
        @JsonProperty("stop_requested_by") List<String> stopRequestedBy,
        @JsonProperty("claimed_by") List<String> claimedBy) {

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
