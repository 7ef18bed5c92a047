package io.holdfast.http.wire.database;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** The response to a start: one result per database of the app. */
@RegisterForReflection
public record StartBody(String app, boolean ready, List<DecisionBody> results) {}
