package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** A variable or key that begins as those of Holdfast do and is none of them. Its value is not told. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UnknownSettingBody(String name, String nearest) {}
