package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A page of apps. */
@RegisterForReflection
@Schema(name = "Apps")
public record AppsBody(
        List<AppBody> apps,
        @JsonProperty("next_cursor")
                @Schema(nullable = true, description = "Pass it as `cursor` for the next page; null at the end")
                String nextCursor) {}
