package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.registry.ActuatorSpec;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What stops and starts a database, as callers see it: with the fields of its kind, and never with a secret. */
@RegisterForReflection
@Schema(
        name = "Actuator",
        oneOf = {
            ActuatorBody.Ec2.class,
            ActuatorBody.Rds.class,
            ActuatorBody.Scale.class,
            ActuatorBody.CloudNativePg.class,
            ActuatorBody.Webhook.class,
            ActuatorBody.Simulated.class
        })
public sealed interface ActuatorBody {
    String kind();

    static ActuatorBody of(ActuatorSpec actuator) {
        return switch (actuator) {
            case ActuatorSpec.Ec2 ec2 ->
                new Ec2(ec2.kind(), ec2.instanceId(), ec2.region().orElse(null));
            case ActuatorSpec.Rds rds ->
                new Rds(
                        rds.kind(),
                        rds.identifier(),
                        rds.cluster(),
                        rds.region().orElse(null));
            case ActuatorSpec.Scale scale -> {
                var workload = scale.workload();
                yield new Scale(
                        scale.kind(), workload.namespace(), workload.kind().text(), workload.name());
            }
            case ActuatorSpec.CloudNativePg postgres ->
                new CloudNativePg(postgres.kind(), postgres.namespace(), postgres.cluster());
            case ActuatorSpec.Webhook webhook ->
                new Webhook(
                        webhook.kind(),
                        webhook.url().toString(),
                        webhook.statusUrl().toString(),
                        webhook.secret().isPresent());
            case ActuatorSpec.Simulated simulated -> new Simulated(simulated.kind());
        };
    }

    @RegisterForReflection
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Ec2Actuator")
    record Ec2(
            @Schema(examples = "ec2") String kind,
            @JsonProperty("instance_id") @Schema(examples = "i-0abc") String instanceId,
            @Schema(examples = "eu-central-1") String region)
            implements ActuatorBody {}

    @RegisterForReflection
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "RdsActuator")
    record Rds(
            @Schema(examples = "rds") String kind,
            @Schema(examples = "orders") String identifier,
            boolean cluster,
            @Schema(examples = "eu-central-1") String region)
            implements ActuatorBody {}

    @RegisterForReflection
    @Schema(name = "ScaleActuator")
    record Scale(
            @Schema(examples = "kubernetes") String kind,
            @Schema(examples = "shop") String namespace,
            @Schema(enumeration = {"Deployment", "StatefulSet"}) String workload,
            @Schema(examples = "postgres") String name)
            implements ActuatorBody {}

    @RegisterForReflection
    @Schema(name = "CloudNativePgActuator")
    record CloudNativePg(
            @Schema(examples = "kubernetes") String kind,
            @Schema(examples = "shop") String namespace,
            @JsonProperty("cnpg_cluster") @Schema(examples = "orders") String cnpgCluster)
            implements ActuatorBody {}

    @RegisterForReflection
    @Schema(name = "WebhookActuator")
    record Webhook(
            @Schema(examples = "webhook") String kind,
            @Schema(examples = "https://hooks.example/orders") String url,
            @JsonProperty("status_url") @Schema(examples = "https://hooks.example/orders/state") String statusUrl,
            @JsonProperty("secret_set") @Schema(description = "Whether the calls are signed") boolean secretSet)
            implements ActuatorBody {}

    @RegisterForReflection
    @Schema(name = "SimulatedActuator")
    record Simulated(@Schema(examples = "simulated") String kind) implements ActuatorBody {}
}
