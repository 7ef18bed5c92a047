package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import java.util.Optional;

public sealed interface RenewOutcome {
    /** @param waiting how many stand in line for it */
    record Renewed(Lease lease, int waiting) implements RenewOutcome {
        public Renewed(Lease lease) {
            this(lease, 0);
        }
    }

    /** The lease is the owner's, but a later attempt of the owner has taken it over; nothing was changed. */
    record Superseded(Lease lease) implements RenewOutcome {}

    /**
     * The lease has expired, was released or taken away.
     *
     * @param holder the lease that the lock is held by now, if it is held
     * @param ended if it is not held: its record, which says how the last lease ended
     */
    record NotHeld(Optional<Lease> holder, Optional<LockRecord> ended) implements RenewOutcome {}
}
