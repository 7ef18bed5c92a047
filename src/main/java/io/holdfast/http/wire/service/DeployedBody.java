package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** A deployment that has begun. Its worker reports with this id and this epoch. */
@RegisterForReflection
public record DeployedBody(@JsonProperty("deployment_id") String deploymentId, long epoch, ServiceBody service) {}
