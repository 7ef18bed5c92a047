package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The body of an acquire of several locks. */
@RegisterForReflection
@Schema(name = "AcquireAll")
public record AcquireAllBody(
        @Schema(
                        required = true,
                        description = "The locks, at most 16 and each once; all are taken or none",
                        examples = "[\"terraform-prod\", \"dns-prod\"]")
                List<String> names,
        @Schema(
                        required = true,
                        description = "Who wants the locks; 1 to 255 printable ASCII characters",
                        examples = "execution-abc123")
                String owner,
        @Schema(description = "How long, 1s to 24h", defaultValue = "30m", examples = "30m") String ttl,
        @JsonProperty("wait")
                @Schema(
                        description = "How long to stand in line for all of them together, up to 5m",
                        defaultValue = "0s",
                        examples = "1m")
                String waitFor,
        @JsonProperty("lock_id")
                @Schema(
                        description = "Your idempotency key, a UUID; all of them have it",
                        examples = "123e4567-e89b-42d3-a456-426614174000")
                String lockId,
        @JsonProperty("lock_type")
                @Schema(
                        description = "A label for lists and metrics",
                        enumeration = {"generic", "database", "cluster", "service", "system"},
                        defaultValue = "generic")
                String lockType,
        @JsonProperty("user_email") @Schema(description = "Whom to ask about them", examples = "ada@example.com")
                String userEmail,
        @Schema(
                        description = "At most 16 entries; keys up to 64 characters, values up to 256",
                        examples = "{\"reason\": \"nightly apply\"}")
                Map<String, String> metadata,
        @JsonProperty("auto_renew")
                @Schema(description = "Renew each of them while its heartbeats come", examples = "false")
                Boolean autoRenew,
        @JsonProperty("max_hold") @Schema(description = "With auto_renew: for how long at most", examples = "8h")
                String maxHold) {

    /** What each of them is asked for with. */
    public AcquireBody each() {
        return new AcquireBody(owner, ttl, waitFor, autoRenew, maxHold, lockId, lockType, userEmail, metadata);
    }
}
