package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** The response to a stop: one result per database of the app. */
@RegisterForReflection
public record StopBody(String app, @JsonProperty("dry_run") boolean dryRun, List<DecisionBody> results) {}
