package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body of a database's registration. */
@RegisterForReflection
public record PutDatabaseBody(
        String type,
        String host,
        Integer port,
        @JsonProperty("ec2_instance_id") String ec2InstanceId,
        PutActuatorBody actuator) {}
