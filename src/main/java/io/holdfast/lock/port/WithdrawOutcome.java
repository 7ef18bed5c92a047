package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;

/** The result of withdrawing an attempt whose caller no longer waits. */
public sealed interface WithdrawOutcome {
    /** Its ticket was removed from the queue. */
    record LeftQueue() implements WithdrawOutcome {}

    /** It had been granted the lock, which is released again. */
    record Released(Lease lease) implements WithdrawOutcome {}

    /** It has neither a ticket nor the lock, or a later attempt has taken them over. */
    record NotThere() implements WithdrawOutcome {}
}
