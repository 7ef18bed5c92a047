package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body that sets the status of a service. */
@RegisterForReflection
public record PutStatusBody(String status, String reason, @JsonProperty("if_version") Long ifVersion) {}
