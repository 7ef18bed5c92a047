package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The actuator of a database: the fields of its kind, without secrets. */
@RegisterForReflection
public sealed interface ActuatorBody {
    String kind();

    @RegisterForReflection
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Ec2(String kind, @JsonProperty("instance_id") String instanceId, String region) implements ActuatorBody {}

    @RegisterForReflection
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Rds(String kind, String identifier, boolean cluster, String region) implements ActuatorBody {}

    @RegisterForReflection
    record Scale(String kind, String namespace, String workload, String name) implements ActuatorBody {}

    @RegisterForReflection
    record CloudNativePg(String kind, String namespace, @JsonProperty("cnpg_cluster") String cnpgCluster)
            implements ActuatorBody {}

    @RegisterForReflection
    record Webhook(
            String kind,
            String url,
            @JsonProperty("status_url") String statusUrl,
            @JsonProperty("secret_set") boolean secretSet)
            implements ActuatorBody {}

    @RegisterForReflection
    record Simulated(String kind) implements ActuatorBody {}
}
