package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Several locks that are held together. */
@RegisterForReflection
@Schema(name = "LockSet")
public record LockSetBody(
        @JsonProperty("lock_id")
                @Schema(
                        description = "Of all of them; one that you had before keeps its own",
                        examples = "123e4567-e89b-42d3-a456-426614174000")
                String lockId,
        @Schema(examples = "execution-abc123") String owner,
        @JsonProperty("remaining_ms")
                @Schema(description = "Time left of the one that ends first", examples = "1800000")
                long remainingMs,
        @Schema(description = "In the order of their names") List<LockBody> locks) {}
