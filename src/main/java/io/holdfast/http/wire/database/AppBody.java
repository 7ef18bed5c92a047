package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** An app. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AppBody(
        String name, String url, String probe, int confirmations, WorkloadBody kubernetes, List<String> databases) {}
