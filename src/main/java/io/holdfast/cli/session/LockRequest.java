package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.DurationText;
import io.holdfast.http.wire.lock.AcquireAllBody;
import io.holdfast.http.wire.lock.AcquireBody;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Which locks somebody wants, and how.
 *
 * @param lockId ours, so that an answer that was lost can be asked for again
 * @param ttl as the service's default if null
 * @param named whether the caller has chosen the lock_id: then it may stand for a lease that is older than this wish
 */
public record LockRequest(List<String> names, String owner, String lockId, Duration ttl, Labels labels, boolean named) {
    /** With a lock_id that nobody else knows. */
    LockRequest(List<String> names, String owner, String lockId, Duration ttl, Labels labels) {
        this(names, owner, lockId, ttl, labels, false);
    }

    /** What others see of it. */
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
        var lasting = ttl == null ? null : DurationText.wire(ttl);
        var waiting = wait.isZero() ? null : DurationText.wire(wait);
        return isForOne()
                ? new AcquireBody(
                        owner, lasting, waiting, null, null, lockId, labels.type(), labels.email(), labels.metadata())
                : new AcquireAllBody(
                        names,
                        owner,
                        lasting,
                        waiting,
                        lockId,
                        labels.type(),
                        labels.email(),
                        labels.metadata(),
                        null,
                        null);
    }
}
