package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A page of the history of a service, the newest move first. */
@RegisterForReflection
public record MovesBody(List<MoveBody> moves, @JsonProperty("next_cursor") String nextCursor) {}
