package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The body of a database's registration. */
@RegisterForReflection
@Schema(name = "PutDatabase")
public record PutDatabaseBody(
        @Schema(required = true, description = "A word for people and metrics", examples = "postgres") String type,
        @Schema(required = true, description = "Where it answers", examples = "db.example") String host,
        @Schema(description = "1 to 65535; needed when there is no ec2_instance_id", examples = "5432") Integer port,
        @JsonProperty("ec2_instance_id")
                @Schema(description = "If it runs on one; it is the identifier then", examples = "i-0abc")
                String ec2InstanceId,
        @Schema(required = true, description = "What stops and starts it") PutActuatorBody actuator) {}
