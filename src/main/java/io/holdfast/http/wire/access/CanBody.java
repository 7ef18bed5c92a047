package io.holdfast.http.wire.access;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The question whether the caller may do something. */
@RegisterForReflection
public record CanBody(String action, String resource) {}
