package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** What a hold's client hears again and again while it has the lock. */
@RegisterForReflection
public record TickBody(
        @JsonProperty("remaining_ms") long remainingMs,
        @JsonProperty("expires_at") String expiresAt,
        long renewals,
        @JsonProperty("fencing_token") long fencingToken) {}
