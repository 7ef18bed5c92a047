package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Map;

/** The body that registers a cluster. */
@RegisterForReflection
public record CreateClusterBody(
        String id,
        String name,
        String platform,
        @JsonProperty("base_domain") String baseDomain,
        String ttl,
        Map<String, String> labels) {}
