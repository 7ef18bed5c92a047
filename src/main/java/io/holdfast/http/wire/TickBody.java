package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.model.Lease;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a hold's client hears again and again while it has the lock. */
@RegisterForReflection
@Schema(name = "Tick")
public record TickBody(
        @JsonProperty("remaining_ms") @Schema(description = "Time left if nothing more is heard", examples = "41000")
                long remainingMs,
        @JsonProperty("expires_at") @Schema(examples = "2026-01-05T14:32:15.000Z") String expiresAt,
        @Schema(examples = "3") long renewals,
        @JsonProperty("fencing_token") @Schema(examples = "1763251200000001") long fencingToken) {

    public static TickBody of(Lease lease, Instant now) {
        return new TickBody(
                lease.remainingAt(now).toMillis(),
                Times.text(lease.expiresAt()),
                lease.term().renewals(),
                lease.token().value());
    }
}
