package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A page of apps. */
@RegisterForReflection
public record AppsBody(List<AppBody> apps, @JsonProperty("next_cursor") String nextCursor) {}
