package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import java.time.Instant;
import java.util.Optional;

public sealed interface AcquireOutcome {
    /**
     * @param lease a new lease with a new token
     * @param replaced the record that it replaced, if there was one and it is known
     */
    record Granted(Lease lease, Optional<LockRecord> replaced) implements AcquireOutcome {
        /** The lease of another owner that expired without a release. */
        public Optional<Lease> takenOver() {
            return replaced.filter(old -> old.end().isEmpty())
                    .map(LockRecord::lease)
                    .filter(old -> !old.owner().isSameAs(lease.owner()));
        }

        /** How many waiters are in the queue, as far as it is known. */
        public int waiting(Instant now) {
            return (int) replaced.stream()
                    .flatMap(old -> old.queue().aliveAt(now).tickets().stream())
                    .filter(ticket -> !ticket.is(lease.ref()))
                    .count();
        }
    }

    /** The owner already holds the lock. The lease is the same, with its end and its token. */
    record AlreadyHeld(Lease lease, int waiting) implements AcquireOutcome {
        public AlreadyHeld(Lease lease) {
            this(lease, 0);
        }
    }

    /**
     * @param waiting the number of waiters
     * @param byConnection whether a connection renews the lease
     */
    record HeldByAnother(Lease holder, int waiting, boolean byConnection) implements AcquireOutcome {
        public HeldByAnother(Lease holder) {
            this(holder, 0, false);
        }
    }

    /** The lock is free but in its lock delay, or it was released after this request was sent. */
    record ClosedUntil(LockRecord record, Instant until) implements AcquireOutcome {}

    /** The lock is free, but other requests wait in its queue. */
    record ReservedForQueue(LockRecord record, int waiting) implements AcquireOutcome {}

    /**
     * The request has a ticket.
     *
     * @param place its place in the queue, from 0
     */
    record Queued(LockRecord record, int place) implements AcquireOutcome {}

    /** The wait was over before the lock could be granted; nothing was changed. */
    record GaveUp(LockName name, Optional<LockRecord> record) implements AcquireOutcome {}

    /**
     * Too many waiters; nothing was changed.
     *
     * @param limit the setting that bounds them
     */
    record QueueFull(LockName name, int waiting, String limit) implements AcquireOutcome {}
}
