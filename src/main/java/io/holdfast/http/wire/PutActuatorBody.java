package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What stops and starts a database. Each kind has its own fields and takes no others. */
@RegisterForReflection
@Schema(name = "PutActuator")
public record PutActuatorBody(
        @Schema(
                        required = true,
                        enumeration = {"ec2", "rds", "kubernetes", "webhook", "simulated"})
                String kind,
        @JsonProperty("instance_id")
                @Schema(
                        description = "ec2: the instance; the database's ec2_instance_id if absent",
                        examples = "i-0abc")
                String instanceId,
        @Schema(description = "ec2, rds: the service's own region if absent", examples = "eu-central-1") String region,
        @Schema(description = "rds: of the instance or the cluster", examples = "orders") String identifier,
        @Schema(description = "rds: whether it is an Aurora cluster's", defaultValue = "false") Boolean cluster,
        @Schema(description = "kubernetes", examples = "shop") String namespace,
        @Schema(
                        description = "kubernetes: what is scaled",
                        enumeration = {"Deployment", "StatefulSet"},
                        defaultValue = "StatefulSet")
                String workload,
        @Schema(description = "kubernetes: the workload's name", examples = "postgres") String name,
        @JsonProperty("cnpg_cluster")
                @Schema(description = "kubernetes: a CloudNativePG cluster to hibernate, in place of workload and name")
                String cnpgCluster,
        @Schema(description = "webhook: takes the orders", examples = "https://hooks.example/orders") String url,
        @JsonProperty("status_url")
                @Schema(description = "webhook: tells the state", examples = "https://hooks.example/orders/state")
                String statusUrl,
        @Schema(description = "webhook: signs the calls; never given back", examples = "…") String secret) {}
