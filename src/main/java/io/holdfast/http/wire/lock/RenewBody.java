package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body of a renewal. */
@RegisterForReflection
public record RenewBody(
        @JsonProperty("lock_id") String lockId,
        String owner,
        String ttl,
        @JsonProperty("fencing_token") Long fencingToken) {}
