package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The last event of a hold. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LostBody(
        String cause,
        String detail,
        @JsonProperty("remaining_ms") Long remainingMs,
        @JsonProperty("expires_at") String expiresAt) {}
