package io.holdfast.http.wire.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A page of databases, without their sharers. */
@RegisterForReflection
public record DatabasesBody(List<DatabaseBody> databases, @JsonProperty("next_cursor") String nextCursor) {}
