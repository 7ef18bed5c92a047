package io.holdfast.http.wire.service;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The event that tells a reader that it has missed moves. */
@RegisterForReflection
public record MissedBody(String detail) {}
