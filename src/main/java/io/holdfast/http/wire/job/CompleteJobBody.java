package io.holdfast.http.wire.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The body of a worker that has succeeded.
 *
 * @param result a JSON object
 */
@RegisterForReflection
public record CompleteJobBody(Long epoch, JsonNode result) {}
