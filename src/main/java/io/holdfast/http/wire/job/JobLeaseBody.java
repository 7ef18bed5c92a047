package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** How long a claim is valid without a heartbeat. */
@RegisterForReflection
public record JobLeaseBody(
        @JsonProperty("expires_at") String expiresAt,
        @JsonProperty("remaining_ms") long remainingMs,
        @JsonProperty("ttl_ms") long ttlMs,
        @JsonProperty("heartbeat_every_ms") long heartbeatEveryMs) {}
