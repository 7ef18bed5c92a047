package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body of a worker that has failed. */
@RegisterForReflection
public record FailJobBody(
        Long epoch, @JsonProperty("error_code") String errorCode, String message, Boolean retryable) {}
