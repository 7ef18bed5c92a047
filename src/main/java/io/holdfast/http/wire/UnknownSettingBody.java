package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.kernel.KnownSettings;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A variable or key that begins as those of Holdfast do and is none of them. Its value is not told. */
@RegisterForReflection
@Schema(name = "UnknownSetting")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UnknownSettingBody(
        @Schema(examples = "HOLDFAST_LOCK_TTL_DEFUALT") String name,
        @Schema(
                        description = "The setting that is most like it; left out when none is",
                        examples = "HOLDFAST_LOCK_TTL_DEFAULT")
                String nearest) {

    public static UnknownSettingBody of(KnownSettings.Unknown setting) {
        return new UnknownSettingBody(setting.name(), setting.nearest().orElse(null));
    }
}
