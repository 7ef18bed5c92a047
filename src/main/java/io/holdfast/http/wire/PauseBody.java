package io.holdfast.http.wire;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Pauses all stops, or lets them go on. */
@RegisterForReflection
@Schema(name = "Pause")
public record PauseBody(
        @Schema(required = true) Boolean paused,
        @Schema(description = "Needed when pausing", examples = "migration tonight") String reason) {}
