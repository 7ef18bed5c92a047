package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A page of locks. */
@RegisterForReflection
@Schema(name = "Locks")
public record LocksBody(
        List<LockBody> locks,
        @JsonProperty("next_cursor")
                @Schema(
                        nullable = true,
                        description =
                                "Pass it as `cursor` for the next page; null at the end. A page may be short, even"
                                        + " empty, and not be the last")
                String nextCursor) {}
