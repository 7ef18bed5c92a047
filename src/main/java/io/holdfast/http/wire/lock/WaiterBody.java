package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** A waiter of a lock. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WaiterBody(
        int position,
        String owner,
        String subject,
        @JsonProperty("waiting_since") String waitingSince,
        @JsonProperty("waited_ms") long waitedMs,
        @JsonProperty("gives_up_at") String givesUpAt) {}
