package io.holdfast.http.wire;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answer to a release of several locks. */
@RegisterForReflection
@Schema(name = "ReleaseAll")
public record ReleaseAllBody(
        @Schema(description = "Whether every one of them was released by this request", examples = "true")
                boolean released,
        @Schema(description = "In the order of their names") List<One> locks) {

    @RegisterForReflection
    @Schema(name = "ReleaseOfOne")
    public record One(
            @Schema(examples = "terraform-prod") String name,
            @Schema(description = "false: it was gone already, or somebody else holds it now", examples = "true")
                    boolean released) {}
}
