package io.holdfast.http.wire.job;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body that cancels a job. */
@RegisterForReflection
public record CancelJobBody(String reason) {}
