package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A page of decisions, the newest first. */
@RegisterForReflection
public record DecisionsBody(List<DecisionBody> decisions, @JsonProperty("next_cursor") String nextCursor) {}
