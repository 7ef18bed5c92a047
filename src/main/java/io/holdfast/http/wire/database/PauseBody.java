package io.holdfast.http.wire.database;

import io.quarkus.runtime.annotations.RegisterForReflection;

/** Pauses all stops, or lets them go on. */
@RegisterForReflection
public record PauseBody(Boolean paused, String reason) {}
