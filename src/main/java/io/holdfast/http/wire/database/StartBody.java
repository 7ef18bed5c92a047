package io.holdfast.http.wire.database;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** The answer to a start: one result per database of the app. */
@RegisterForReflection
public record StartBody(String app, boolean ready, List<DecisionBody> results) {}
