package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The body of an acquire. */
@RegisterForReflection
@Schema(name = "Acquire")
public record AcquireBody(
        @Schema(
                        required = true,
                        description = "Who wants the lock; 1 to 255 printable ASCII characters",
                        examples = "execution-abc123")
                String owner,
        @Schema(
                        description = "How long, 1s to 24h: 250ms, 30s, 5m, 2h or ISO-8601",
                        defaultValue = "30m",
                        examples = "30m")
                String ttl,
        @JsonProperty("wait")
                @Schema(
                        description =
                                "How long to stand in line while another holds it, up to 5m; first come, first served",
                        defaultValue = "0s",
                        examples = "1m")
                String waitFor,
        @JsonProperty("auto_renew")
                @Schema(
                        description = "Whether the service renews the lease by itself as long as you send heartbeats",
                        defaultValue = "false")
                Boolean autoRenew,
        @JsonProperty("max_hold")
                @Schema(
                        description = "With auto_renew: how long at most it is renewed, from ttl up to 168h",
                        defaultValue = "24h",
                        examples = "4h")
                String maxHold,
        @JsonProperty("lock_id")
                @Schema(
                        description = "Your idempotency key, a UUID. Ask again with the same one after a lost answer",
                        examples = "123e4567-e89b-42d3-a456-426614174000")
                String lockId,
        @JsonProperty("lock_type")
                @Schema(
                        description = "A label for lists and metrics",
                        enumeration = {"generic", "database", "cluster", "service", "system"},
                        defaultValue = "generic")
                String lockType,
        @JsonProperty("user_email") @Schema(description = "Whom to ask about it", examples = "ada@example.com")
                String userEmail,
        @Schema(
                        description = "At most 16 entries; keys up to 64 characters, values up to 256",
                        examples = "{\"reason\": \"nightly apply\"}")
                Map<String, String> metadata) {}
