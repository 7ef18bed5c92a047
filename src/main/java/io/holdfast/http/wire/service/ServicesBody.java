package io.holdfast.http.wire.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** A page of services, ordered by id. */
@RegisterForReflection
public record ServicesBody(List<ServiceBody> services, @JsonProperty("next_cursor") String nextCursor) {}
