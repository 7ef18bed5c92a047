package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;

/**
 * A cluster.
 *
 * @param running the job that runs; null in lists
 * @param queue the jobs that have not ended, without the running one, in the order in which they run; null in lists
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClusterBody(
        String id,
        String name,
        String platform,
        @JsonProperty("base_domain") String baseDomain,
        String status,
        Map<String, String> labels,
        @JsonProperty("ttl_ms") Long ttlMs,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("updated_at") String updatedAt,
        @JsonProperty("expires_at") String expiresAt,
        JobBody running,
        List<JobBody> queue) {}
