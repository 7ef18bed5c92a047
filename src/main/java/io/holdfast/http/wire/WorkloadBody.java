package io.holdfast.http.wire;

import io.holdfast.registry.Workload;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** A Kubernetes object with replicas. */
@RegisterForReflection
public record WorkloadBody(String namespace, String kind, String name) {

    public static WorkloadBody of(Workload workload) {
        return new WorkloadBody(workload.namespace(), workload.kind().text(), workload.name());
    }
}
