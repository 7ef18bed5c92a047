package io.holdfast.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.wire.lock.LockBody;
import java.util.List;

/**
 * The locks that a request was granted.
 *
 * @param answer the body of the service's response
 * @param locks sorted by name
 * @param isNew whether this request created all leases; false if the owner already held one of the locks
 * @param confirmedNanos the time from which {@code remaining_ms} of the leases counts, by {@link System#nanoTime()}
 */
public record AcquiredLocks(JsonNode answer, List<LockBody> locks, boolean isNew, long confirmedNanos) {}
