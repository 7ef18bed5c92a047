package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answer to a release. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Release")
public record ReleaseBody(
        @Schema(description = "false: nobody held it, so there was nothing to release", examples = "true")
                boolean released,
        @Schema(description = "After a force release: the lock as it was held") LockBody previous) {}
