package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The response to a release. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReleaseBody(boolean released, LockBody previous) {}
