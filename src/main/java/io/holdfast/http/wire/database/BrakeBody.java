package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The state of the brake. */
@RegisterForReflection
public record BrakeBody(boolean paused, String reason, @JsonProperty("stops_last_hour") long stopsLastHour) {}
