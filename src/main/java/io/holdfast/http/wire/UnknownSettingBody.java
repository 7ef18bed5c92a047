package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** A variable or key with the prefix of Holdfast that is not a setting. Its value is not shown. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UnknownSettingBody(String name, String nearest) {}
