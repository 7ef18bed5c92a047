package io.holdfast.http.wire.database;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** A Kubernetes object with replicas. */
@RegisterForReflection
public record WorkloadBody(String namespace, String kind, String name) {}
