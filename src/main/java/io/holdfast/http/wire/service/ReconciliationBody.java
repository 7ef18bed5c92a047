package io.holdfast.http.wire.service;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** Whether the reconciler of services is paused, and why. */
@RegisterForReflection
public record ReconciliationBody(boolean paused, String reason) {}
