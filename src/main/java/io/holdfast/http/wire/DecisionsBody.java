package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A page of decisions, the newest first. */
@RegisterForReflection
@Schema(name = "Decisions")
public record DecisionsBody(
        List<DecisionBody> decisions,
        @JsonProperty("next_cursor") @Schema(nullable = true, description = "Null at the end") String nextCursor) {}
