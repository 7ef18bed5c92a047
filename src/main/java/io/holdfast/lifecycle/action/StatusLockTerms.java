package io.holdfast.lifecycle.action;

import java.time.Duration;

/**
 * How a writer takes the lock of a service.
 *
 * @param tries how often it asks for the lock
 * @param pause between two tries
 * @param jitter at most this much is added to a pause
 * @param extendBelow the lease is extended when less than this is left and the write is not done
 * @param driftPercent of the TTL by which the end of a lease is taken to be earlier, for clocks that run differently
 */
public record StatusLockTerms(
        Duration ttl, int tries, Duration pause, Duration jitter, Duration extendBelow, int driftPercent) {

    /** The lease is relied on for this much less than its TTL. */
    Duration drift() {
        return ttl.multipliedBy(driftPercent).dividedBy(100);
    }
}
