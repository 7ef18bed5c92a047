package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The result of one probe of an app. */
@RegisterForReflection
public record QuickStatusBody(
        String app, String status, @JsonProperty("http_code") Integer httpCode, String timestamp) {}
