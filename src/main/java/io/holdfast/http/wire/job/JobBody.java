package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/**
 * A job, with its runs, the oldest first.
 *
 * @param params a JSON object
 * @param dueAt from when on a worker may claim it; QUEUED and WAITING only
 * @param nextAttemptAt when it is tried again after a failure; WAITING only
 * @param worker of the last run, as are the epoch, the times of the run and the progress
 * @param leaseExpiresAt RUNNING only, as is {@code remainingMs}
 * @param result a JSON object
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobBody(
        String id,
        String cluster,
        String type,
        String status,
        JsonNode params,
        @JsonProperty("idempotency_key") String idempotencyKey,
        @JsonProperty("deadline_ms") long deadlineMs,
        @JsonProperty("created_at") String createdAt,
        @JsonProperty("due_at") String dueAt,
        @JsonProperty("next_attempt_at") String nextAttemptAt,
        int attempt,
        @JsonProperty("attempts_max") int attemptsMax,
        String worker,
        Long epoch,
        @JsonProperty("started_at") String startedAt,
        @JsonProperty("heartbeat_at") String heartbeatAt,
        @JsonProperty("lease_expires_at") String leaseExpiresAt,
        @JsonProperty("remaining_ms") Long remainingMs,
        ProgressBody progress,
        @JsonProperty("cancel_requested") boolean cancelRequested,
        @JsonProperty("cancel_reason") String cancelReason,
        @JsonProperty("ended_at") String endedAt,
        @JsonProperty("error_code") String errorCode,
        String message,
        JsonNode result,
        List<RunBody> runs) {}
