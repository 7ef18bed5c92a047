package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The body that submits a job.
 *
 * @param params a JSON object
 */
@RegisterForReflection
public record SubmitJobBody(
        String type, JsonNode params, @JsonProperty("idempotency_key") String idempotencyKey, String deadline) {}
