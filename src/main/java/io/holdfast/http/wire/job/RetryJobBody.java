package io.holdfast.http.wire.job;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body that retries a dead letter. */
@RegisterForReflection
public record RetryJobBody(String reason) {}
