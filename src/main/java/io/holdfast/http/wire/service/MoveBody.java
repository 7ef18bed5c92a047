package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * One change of a service's status.
 *
 * @param from absent for the registration
 * @param to absent for the removal
 * @param deploymentId of the latest deployment at that time
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MoveBody(
        String service,
        long version,
        String at,
        String from,
        String to,
        String by,
        String reason,
        @JsonProperty("deployment_id") String deploymentId,
        @JsonProperty("rolled_back") boolean rolledBack,
        ObservedBody observed) {}
