package io.holdfast.lock.port;

import io.holdfast.lock.model.Lease;

/** What became of a request that its caller no longer waits for. */
public sealed interface WithdrawOutcome {
    /** It has left the line. */
    record LeftLine() implements WithdrawOutcome {}

    /** It had been granted, and nobody had been told: the lock is free again. */
    record GaveBack(Lease lease) implements WithdrawOutcome {}

    /** It neither waits nor holds; or a later attempt has taken over its lease or its place. */
    record NotThere() implements WithdrawOutcome {}
}
