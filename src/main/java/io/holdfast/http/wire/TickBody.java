package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.model.Lease;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/** What a hold's client hears again and again while it has the lock. */
@RegisterForReflection
public record TickBody(
        @JsonProperty("remaining_ms") long remainingMs,
        @JsonProperty("expires_at") String expiresAt,
        long renewals,
        @JsonProperty("fencing_token") long fencingToken) {

    public static TickBody of(Lease lease, Instant now) {
        return new TickBody(
                lease.remainingAt(now).toMillis(),
                Times.text(lease.expiresAt()),
                lease.term().renewals(),
                lease.token().value());
    }
}
