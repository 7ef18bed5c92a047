package io.holdfast.lock.port;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import java.util.Optional;

public sealed interface ForceReleaseOutcome {
    /**
     * @param previous the lease that was taken away; none if the store only knows that it was, because its first answer was
     *     lost and the lock was granted again meanwhile
     * @param token the raised token: a holder that shows the old one is refused
     */
    record Freed(Optional<Lease> previous, FencingToken token) implements ForceReleaseOutcome {}

    /** The token was right, but its holder had given the lock back already; nothing was changed. */
    record AlreadyFree(LockRecord record) implements ForceReleaseOutcome {}

    /** The lock has changed hands since the administrator looked; nothing was changed. */
    record TokenChanged(LockRecord current) implements ForceReleaseOutcome {}

    record NoSuchLock() implements ForceReleaseOutcome {}
}
