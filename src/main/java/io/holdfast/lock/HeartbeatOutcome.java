package io.holdfast.lock;

import java.util.Optional;

public sealed interface HeartbeatOutcome {
    /** The lease goes on. */
    record Heard(Lease lease) implements HeartbeatOutcome {}

    /** The lease has expired, was released or taken away. {@code holder} is who holds the lock now, if anybody. */
    record NotHeld(Optional<Lease> holder) implements HeartbeatOutcome {}

    /** The lease is the caller's, but it was not acquired to be renewed by the service: a heartbeat keeps nothing. */
    record NotAutoRenewed(Lease lease) implements HeartbeatOutcome {}

    /**
     * This replica renews too many leases to take this one on.
     *
     * @param limit the setting that says how many it may
     */
    record TooMany(LockName name, int leases, String limit) implements HeartbeatOutcome {}
}
