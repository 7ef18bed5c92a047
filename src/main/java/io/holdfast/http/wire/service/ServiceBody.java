package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A service and its status.
 *
 * @param observe absent if nothing is observed
 * @param deployment the latest one; absent if the service was never deployed
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServiceBody(
        String id,
        String status,
        long version,
        String since,
        @JsonProperty("registered_at") String registeredAt,
        @JsonProperty("deploy_deadline_ms") Long deployDeadlineMs,
        ObserveBody observe,
        DeploymentBody deployment) {}
