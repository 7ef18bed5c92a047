package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import java.util.Optional;

public sealed interface RenewOutcome {
    /** @param waiting the number of waiters */
    record Renewed(Lease lease, int waiting) implements RenewOutcome {
        public Renewed(Lease lease) {
            this(lease, 0);
        }
    }

    /** A later attempt of the same owner has taken the lease over; nothing was changed. */
    record Superseded(Lease lease) implements RenewOutcome {}

    /**
     * The lease has expired or was released, by its holder or by force.
     *
     * @param holder the current lease of the lock, if there is one
     * @param ended if there is none, the record, which says how the last lease ended
     */
    record NotHeld(Optional<Lease> holder, Optional<LockRecord> ended) implements RenewOutcome {}
}
