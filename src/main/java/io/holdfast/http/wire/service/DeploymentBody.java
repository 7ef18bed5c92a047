package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A deployment of a service. Without {@code endedAt}, it is under way.
 *
 * @param remainingMs until its deadline; absent after its end
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeploymentBody(
        @JsonProperty("deployment_id") String deploymentId,
        long epoch,
        @JsonProperty("started_at") String startedAt,
        String deadline,
        @JsonProperty("remaining_ms") Long remainingMs,
        String reason,
        @JsonProperty("ended_at") String endedAt,
        @JsonProperty("ended_with") String endedWith,
        @JsonProperty("rolled_back") Boolean rolledBack,
        @JsonProperty("ended_by") String endedBy) {}
