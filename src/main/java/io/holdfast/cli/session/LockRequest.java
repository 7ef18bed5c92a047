package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.DurationText;
import io.holdfast.http.wire.lock.AcquireAllBody;
import io.holdfast.http.wire.lock.AcquireBody;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The locks that a command requests, with owner, lock_id, TTL and labels.
 *
 * @param lockId chosen by this client, so that a request whose answer was lost can be repeated
 * @param ttl null for the service's default
 * @param named whether the user has chosen the lock_id; then it may belong to a lease that is older than this command
 */
public record LockRequest(List<String> names, String owner, String lockId, Duration ttl, Labels labels, boolean named) {
    /** With a generated lock_id. */
    LockRequest(List<String> names, String owner, String lockId, Duration ttl, Labels labels) {
        this(names, owner, lockId, ttl, labels, false);
    }

    /** What the service shows about the holder. */
    public record Labels(String type, String email, Map<String, String> metadata) {
        static final Labels NONE = new Labels(null, null, null);
    }

    boolean isForOne() {
        return names.size() == 1;
    }

    String path() {
        return isForOne() ? ApiClient.path("v1", "locks", names.getFirst()) : "/v1/locks";
    }

    Object body(Duration wait) {
        var ttlText = ttl == null ? null : DurationText.wire(ttl);
        var waitText = wait.isZero() ? null : DurationText.wire(wait);
        return isForOne()
                ? new AcquireBody(
                        owner, ttlText, waitText, null, null, lockId, labels.type(), labels.email(), labels.metadata())
                : new AcquireAllBody(
                        names,
                        owner,
                        ttlText,
                        waitText,
                        lockId,
                        labels.type(),
                        labels.email(),
                        labels.metadata(),
                        null,
                        null);
    }
}
