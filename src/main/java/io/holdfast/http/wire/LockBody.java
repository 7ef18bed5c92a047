package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A lock as callers see it. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LockBody(
        String name,
        @JsonProperty("lock_id") String lockId,
        String owner,
        @JsonProperty("fencing_token") long fencingToken,
        String status,
        @JsonProperty("lock_type") String lockType,
        @JsonProperty("acquired_at") String acquiredAt,
        @JsonProperty("expires_at") String expiresAt,
        @JsonProperty("ttl_ms") long ttlMs,
        @JsonProperty("remaining_ms") long remainingMs,
        long renewals,
        @JsonProperty("user_email") String userEmail,
        Map<String, String> metadata,
        @JsonProperty("released_at") String releasedAt,
        @JsonProperty("closed_until") String closedUntil,
        @JsonProperty("release_reason") String releaseReason,
        @JsonProperty("auto_renew_until") String autoRenewUntil,
        @JsonProperty("held_by_connection") Boolean heldByConnection,
        Integer waiting,
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
