package io.holdfast.http.wire;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answer to a start: one result per database of the app. */
@RegisterForReflection
@Schema(name = "Start")
public record StartBody(
        @Schema(examples = "billing") String app,
        @Schema(description = "Whether every database runs and answers; otherwise ask again") boolean ready,
        List<DecisionBody> results) {}
