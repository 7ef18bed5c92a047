package io.holdfast.http.wire.access;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** Actions that are granted on the names with a prefix. */
@RegisterForReflection
public record GrantedBody(String kind, String prefix, List<String> actions) {}
