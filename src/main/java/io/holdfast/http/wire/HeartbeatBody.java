package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The body of a heartbeat. */
@RegisterForReflection
@Schema(name = "Heartbeat")
public record HeartbeatBody(
        @JsonProperty("lock_id")
                @Schema(
                        required = true,
                        description = "From the answer to the acquire",
                        examples = "123e4567-e89b-42d3-a456-426614174000")
                String lockId,
        @Schema(required = true, description = "The owner that holds the lease", examples = "execution-abc123")
                String owner,
        @JsonProperty("fencing_token")
                @Schema(
                        description =
                                "From the answer to the acquire, at least 1. If the lock has another one, the answer"
                                        + " is lock-not-held and nothing is changed",
                        examples = "1763251200000001")
                Long fencingToken) {}
