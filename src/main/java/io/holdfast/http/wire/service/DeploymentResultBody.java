package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body by which a worker reports how a deployment has ended. */
@RegisterForReflection
public record DeploymentResultBody(
        @JsonProperty("deployment_id") String deploymentId,
        Long epoch,
        String status,
        @JsonProperty("rolled_back") Boolean rolledBack,
        String reason) {}
