package io.holdfast.http.wire.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Whether the caller may do it, and which grant allows it or is missing. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AllowedBody(boolean allowed, String by, String missing) {}
