package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A lock as callers see it. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Lock")
public record LockBody(
        @Schema(examples = "terraform-prod") String name,
        @JsonProperty("lock_id")
                @Schema(
                        description = "This acquisition; renew and release name it",
                        examples = "123e4567-e89b-42d3-a456-426614174000")
                String lockId,
        @Schema(examples = "execution-abc123") String owner,
        @JsonProperty("fencing_token")
                @Schema(
                        description = "Rises with every change of hands; show it to whatever you change under the lock",
                        examples = "1763251200000001")
                long fencingToken,
        @Schema(
                        enumeration = {"active", "expired", "releasing", "released"},
                        examples = "active")
                String status,
        @JsonProperty("lock_type") @Schema(examples = "generic") String lockType,
        @JsonProperty("acquired_at") @Schema(examples = "2026-01-05T14:02:15.000Z") String acquiredAt,
        @JsonProperty("expires_at") @Schema(examples = "2026-01-05T14:32:15.000Z") String expiresAt,
        @JsonProperty("ttl_ms") @Schema(examples = "1800000") long ttlMs,
        @JsonProperty("remaining_ms")
                @Schema(
                        description =
                                "Time left; count it from before you sent the request, or after a wait from when the answer came",
                        examples = "1800000")
                long remainingMs,
        @Schema(examples = "0") long renewals,
        @JsonProperty("user_email") @Schema(examples = "ada@example.com") String userEmail,
        @Schema(examples = "{\"reason\": \"nightly apply\"}") Map<String, String> metadata,
        @JsonProperty("released_at") @Schema(description = "Once it was given back or taken away") String releasedAt,
        @JsonProperty("closed_until")
                @Schema(description = "After a force release with a lock delay: when it may be taken again")
                String closedUntil,
        @JsonProperty("release_reason") @Schema(description = "Why it was taken away, if it was") String releaseReason,
        @JsonProperty("auto_renew_until")
                @Schema(description = "Until when the service renews it by itself, if it was asked to")
                String autoRenewUntil,
        @JsonProperty("held_by_connection")
                @Schema(description = "True if a connection holds it: then it is renewed as long as that lasts")
                Boolean heldByConnection,
        @Schema(description = "How many wait for it, where that is known", examples = "0") Integer waiting,
        @Schema(description = "Who waits for it, the next one first; only when looking at one lock")
                List<WaiterBody> waiters) {

    /** With those who wait for it by name. */
    public static LockBody withWaiters(LockRecord record, Instant now) {
        return of(
                record,
                record.waitingAt(now),
                WaiterBody.of(record.queue(), now),
                record.isHeldByConnectionAt(now),
                now);
    }

    public static LockBody of(LockRecord record, Instant now) {
        return of(record, record.waitingAt(now), now);
    }

    /** @param waiting how many wait for it; none if that is not known */
    public static LockBody of(LockRecord record, Integer waiting, Instant now) {
        return of(record, waiting, null, record.isHeldByConnectionAt(now), now);
    }

    /** A lock of which only the lease is known. */
    public static LockBody of(Lease lease, Integer waiting, boolean byConnection, Instant now) {
        return of(LockRecord.held(lease), waiting, null, byConnection, now);
    }

    private static LockBody of(
            LockRecord record, Integer waiting, List<WaiterBody> waiters, boolean byConnection, Instant now) {
        var lease = record.lease();
        var term = lease.term();
        var end = record.end();
        return new LockBody(
                lease.name().value(),
                lease.id().value(),
                lease.owner().value(),
                record.token().value(),
                record.statusAt(now).text(),
                lease.labels().type().text(),
                Times.text(term.acquiredAt()),
                Times.text(term.expiresAt()),
                term.ttl().toMillis(),
                end.isPresent() ? 0 : lease.remainingAt(now).toMillis(),
                term.renewals(),
                lease.labels().userEmail().orElse(null),
                lease.labels().metadata(),
                end.map(e -> Times.text(e.at())).orElse(null),
                end.flatMap(LockRecord.End::closedUntil).map(Times::text).orElse(null),
                end.flatMap(LockRecord.End::forcedBecause).orElse(null),
                term.renewUntil().map(Times::text).orElse(null),
                byConnection ? Boolean.TRUE : null,
                waiting,
                waiters);
    }
}
