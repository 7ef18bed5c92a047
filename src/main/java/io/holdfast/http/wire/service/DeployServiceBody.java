package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body that begins a deployment. */
@RegisterForReflection
public record DeployServiceBody(String reason, String deadline, @JsonProperty("deployment_id") String deploymentId) {}
