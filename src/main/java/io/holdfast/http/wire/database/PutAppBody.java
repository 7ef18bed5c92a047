package io.holdfast.http.wire.database;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** The body of an app's registration. */
@RegisterForReflection
public record PutAppBody(
        String url, String probe, Integer confirmations, WorkloadBody kubernetes, List<String> databases) {}
