package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** The body of a heartbeat. */
@RegisterForReflection
public record HeartbeatBody(
        @JsonProperty("lock_id") String lockId, String owner, @JsonProperty("fencing_token") Long fencingToken) {}
