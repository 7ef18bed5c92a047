package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answer to a stop: one result per database of the app. */
@RegisterForReflection
@Schema(name = "Stop")
public record StopBody(
        @Schema(examples = "billing") String app,
        @JsonProperty("dry_run") boolean dryRun,
        List<DecisionBody> results) {}
