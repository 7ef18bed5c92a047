package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;

/** A lock. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LockBody(
        String name,
        @JsonProperty("lock_id") String lockId,
        String owner,
        String subject,
        @JsonProperty("fencing_token") long fencingToken,
        String status,
        @JsonProperty("lock_type") String lockType,
        @JsonProperty("acquired_at") String acquiredAt,
        @JsonProperty("expires_at") String expiresAt,
        @JsonProperty("ttl_ms") long ttlMs,
        @JsonProperty("remaining_ms") long remainingMs,
        long renewals,
        @JsonProperty("user_email") String userEmail,
        Map<String, String> metadata,
        @JsonProperty("released_at") String releasedAt,
        @JsonProperty("closed_until") String closedUntil,
        @JsonProperty("release_reason") String releaseReason,
        @JsonProperty("auto_renew_until") String autoRenewUntil,
        @JsonProperty("held_by_connection") Boolean heldByConnection,
        Integer waiting,
        List<WaiterBody> waiters) {}
