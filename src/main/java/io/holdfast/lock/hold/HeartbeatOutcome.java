package io.holdfast.lock.hold;

import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import java.util.Optional;

public sealed interface HeartbeatOutcome {
    /** The lease is renewed further. */
    record Heard(Lease lease) implements HeartbeatOutcome {}

    /**
     * The lease has expired or was released, by its holder or by force.
     *
     * @param holder the current lease of the lock, if there is one
     * @param ended if there is none, the record, which says how the last lease ended
     */
    record NotHeld(Optional<Lease> holder, Optional<LockRecord> ended) implements HeartbeatOutcome {}

    /** The caller holds the lease, but it was not acquired with auto-renewal. A heartbeat has no effect. */
    record NotAutoRenewed(Lease lease) implements HeartbeatOutcome {}

    /**
     * This replica already renews the most leases that it may.
     *
     * @param limit the setting that bounds them
     */
    record TooMany(LockName name, int leases, String limit) implements HeartbeatOutcome {}
}
