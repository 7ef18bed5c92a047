package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The event that a hold sends at intervals while its lease lasts. */
@RegisterForReflection
public record TickBody(
        @JsonProperty("remaining_ms") long remainingMs,
        @JsonProperty("expires_at") String expiresAt,
        long renewals,
        @JsonProperty("fencing_token") long fencingToken) {}
