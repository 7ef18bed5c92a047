package io.holdfast.http.wire;

import io.holdfast.registry.Workload;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A Kubernetes object with replicas. */
@RegisterForReflection
@Schema(name = "Workload")
public record WorkloadBody(
        @Schema(required = true, examples = "shop") String namespace,
        @Schema(
                        required = true,
                        enumeration = {"Deployment", "StatefulSet"})
                String kind,
        @Schema(required = true, examples = "billing") String name) {

    public static WorkloadBody of(Workload workload) {
        return new WorkloadBody(workload.namespace(), workload.kind().text(), workload.name());
    }
}
