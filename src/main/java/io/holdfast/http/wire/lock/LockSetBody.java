package io.holdfast.http.wire.lock;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/** Several locks that were acquired together. */
@RegisterForReflection
public record LockSetBody(
        @JsonProperty("lock_id") String lockId,
        String owner,
        @JsonProperty("remaining_ms") long remainingMs,
        List<LockBody> locks) {}
