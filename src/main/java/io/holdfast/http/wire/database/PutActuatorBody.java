package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The actuator in a registration. Each kind has its own fields. */
@RegisterForReflection
public record PutActuatorBody(
        String kind,
        @JsonProperty("instance_id") String instanceId,
        String region,
        String identifier,
        Boolean cluster,
        String namespace,
        String workload,
        String name,
        @JsonProperty("cnpg_cluster") String cnpgCluster,
        String url,
        @JsonProperty("status_url") String statusUrl,
        String secret) {}
