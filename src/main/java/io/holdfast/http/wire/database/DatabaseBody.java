package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A database. */
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
        @JsonProperty("claimed_by") List<String> claimedBy) {}
