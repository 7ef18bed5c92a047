package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Whether an app is up, from one look. */
@RegisterForReflection
public record QuickStatusBody(
        String app, String status, @JsonProperty("http_code") Integer httpCode, String timestamp) {}
