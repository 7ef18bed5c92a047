package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The response to a worker's heartbeat: its lease, and whether it is to stop. */
@RegisterForReflection
public record HeartbeatResultBody(
        @JsonProperty("remaining_ms") long remainingMs,
        @JsonProperty("cancel_requested") boolean cancelRequested,
        @JsonProperty("expires_at") String expiresAt) {}
