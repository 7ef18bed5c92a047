package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body that registers a service, or replaces what its registration says. */
@RegisterForReflection
public record PutServiceBody(ObserveBody observe, @JsonProperty("deploy_deadline") String deployDeadline) {}
