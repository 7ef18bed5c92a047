package io.holdfast.lock.history;

import io.holdfast.lock.model.Lease;
import java.time.Instant;

/** What a client hears of one request. */
sealed interface Reply<T> {
    Instant sent();

    /**
     * @param sent when the request left the client
     * @param counted the true time at which the replica read its clock for this answer, and not before the request left
     * @param clock what its clock showed then
     */
    record Answer<T>(T value, Instant sent, Instant counted, Instant clock) implements Reply<T> {
        /** Until when the client may rely on a lease in this answer. */
        Instant deadline(Lease lease) {
            return counted.plus(lease.remainingAt(clock));
        }
    }

    /** An error 503, a timeout or a broken connection: the client does not know what happened. */
    record Unknown<T>(String why, Instant sent) implements Reply<T> {}
}
