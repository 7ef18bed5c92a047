package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** A waiter of a lock. */
@RegisterForReflection
public record WaiterBody(
        int position,
        String owner,
        @JsonProperty("waiting_since") String waitingSince,
        @JsonProperty("waited_ms") long waitedMs,
        @JsonProperty("gives_up_at") String givesUpAt) {}
