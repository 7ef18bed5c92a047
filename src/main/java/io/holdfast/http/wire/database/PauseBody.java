package io.holdfast.http.wire.database;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body that pauses or resumes all stops. */
@RegisterForReflection
public record PauseBody(Boolean paused, String reason) {}
