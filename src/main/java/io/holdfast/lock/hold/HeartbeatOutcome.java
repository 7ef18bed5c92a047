package io.holdfast.lock.hold;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import java.util.Optional;

public sealed interface HeartbeatOutcome {
    /** The lease goes on. */
    record Heard(Lease lease) implements HeartbeatOutcome {}

    /**
     * The lease has expired, was released or taken away.
     *
     * @param holder the lease that the lock is held by now, if it is held
     * @param ended if it is not held: its record, which says how the last lease ended
     */
    record NotHeld(Optional<Lease> holder, Optional<LockRecord> ended) implements HeartbeatOutcome {}

    /** The lease is the caller's, but it was not acquired to be renewed by the service: a heartbeat keeps nothing. */
    record NotAutoRenewed(Lease lease) implements HeartbeatOutcome {}

    /**
     * This replica renews too many leases to take this one on.
     *
     * @param limit the setting that says how many it may
     */
    record TooMany(LockName name, int leases, String limit) implements HeartbeatOutcome {}
}
