package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** What a worker reports about its run. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProgressBody(Integer percent, String message) {}
