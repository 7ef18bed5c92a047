package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Whether databases may be stopped at all. */
@RegisterForReflection
@Schema(name = "Brake")
public record BrakeBody(
        boolean paused,
        @Schema(nullable = true, description = "Why", examples = "migration tonight") String reason,
        @JsonProperty("stops_last_hour") long stopsLastHour) {}
