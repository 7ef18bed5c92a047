package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A page of locks. */
@RegisterForReflection
public record LocksBody(List<LockBody> locks, @JsonProperty("next_cursor") String nextCursor) {}
