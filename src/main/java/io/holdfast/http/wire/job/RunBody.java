package io.holdfast.http.wire.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** One attempt at a job. Without {@code endedAt}, it runs. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunBody(
        int attempt,
        long epoch,
        String worker,
        @JsonProperty("started_at") String startedAt,
        @JsonProperty("ended_at") String endedAt,
        String result,
        @JsonProperty("error_code") String errorCode,
        String message,
        @JsonProperty("next_attempt_at") String nextAttemptAt) {}
