package io.holdfast.http.wire.service;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** What the reconciler saw of a service. */
@RegisterForReflection
public record ObservedBody(String state, String detail) {}
