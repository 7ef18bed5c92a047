package io.holdfast.lock;

import java.util.Optional;

public sealed interface RenewOutcome {
    record Renewed(Lease lease) implements RenewOutcome {}

    /** The lease has expired, was released or taken away. {@code holder} is who holds the lock now, if anybody. */
    record NotHeld(Optional<Lease> holder) implements RenewOutcome {}
}
