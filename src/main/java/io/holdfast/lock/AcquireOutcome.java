package io.holdfast.lock;

import java.time.Instant;
import java.util.Optional;

public sealed interface AcquireOutcome {
    /**
     * @param lease a new lease with a new token
     * @param takenOver another's expired lease in whose place it stands, if that one never gave it back
     */
    record Granted(Lease lease, Optional<Lease> takenOver) implements AcquireOutcome {}

    /** The owner holds it already: the same lease, neither prolonged nor given a second token. */
    record AlreadyYours(Lease lease) implements AcquireOutcome {}

    record HeldByAnother(Lease holder) implements AcquireOutcome {}

    /** Nobody holds it, but it was released later than this request was made, or by force and with a delay. */
    record ClosedUntil(LockRecord record, Instant until) implements AcquireOutcome {}
}
