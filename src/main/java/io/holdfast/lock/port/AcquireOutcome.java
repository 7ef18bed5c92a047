package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import java.time.Instant;
import java.util.Optional;

public sealed interface AcquireOutcome {
    /**
     * @param lease a new lease with a new token
     * @param replaced the record in whose place it stands, if there was one and it is known
     */
    record Granted(Lease lease, Optional<LockRecord> replaced) implements AcquireOutcome {
        /** Another's lease that ran out without being given back. */
        public Optional<Lease> takenOver() {
            return replaced.filter(old -> old.end().isEmpty())
                    .map(LockRecord::lease)
                    .filter(old -> !old.owner().equals(lease.owner()));
        }

        /** How many stand in line behind it, as far as is known. */
        public int waiting(Instant now) {
            return (int) replaced.stream()
                    .flatMap(old -> old.queue().aliveAt(now).tickets().stream())
                    .filter(ticket -> !ticket.is(lease.ref()))
                    .count();
        }
    }

    /** The owner holds it already: the same lease, neither prolonged nor given a second token. */
    record AlreadyYours(Lease lease, int waiting) implements AcquireOutcome {
        public AlreadyYours(Lease lease) {
            this(lease, 0);
        }
    }

    /**
     * @param waiting how many stand in line for it
     * @param byConnection whether a connection renews the lease
     */
    record HeldByAnother(Lease holder, int waiting, boolean byConnection) implements AcquireOutcome {
        public HeldByAnother(Lease holder) {
            this(holder, 0, false);
        }
    }

    /** Nobody holds it, but it was released later than this request was made, or by force and with a delay. */
    record ClosedUntil(LockRecord record, Instant until) implements AcquireOutcome {}

    /** Nobody holds it, but others were in line before. */
    record ReservedForQueue(LockRecord record, int waiting) implements AcquireOutcome {}

    /**
     * It stands in line.
     *
     * @param place among those who still wait, from 0
     */
    record Queued(LockRecord record, int place) implements AcquireOutcome {}

    /** Its time to wait was over before it could be granted; nothing was changed. */
    record GaveUp(LockName name, Optional<LockRecord> record) implements AcquireOutcome {}

    /**
     * Too many wait already; nothing was changed.
     *
     * @param limit the setting that says how many may
     */
    record QueueFull(LockName name, int waiting, String limit) implements AcquireOutcome {}
}
