package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Whether an app is up, from one look. */
@RegisterForReflection
@Schema(name = "QuickStatus")
public record QuickStatusBody(
        @Schema(examples = "billing") String app,
        @Schema(
                        enumeration = {"UP", "DOWN", "UNKNOWN"},
                        examples = "UP")
                String status,
        @JsonProperty("http_code") @Schema(nullable = true, examples = "200") Integer httpCode,
        @Schema(examples = "2026-01-05T14:02:15.000Z") String timestamp) {}
