package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;

/** The body of a worker that asks for a job. */
@RegisterForReflection
public record ClaimJobBody(
        String worker, List<String> types, Map<String, String> labels, @JsonProperty("wait") String waitFor) {}
