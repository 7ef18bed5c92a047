package io.holdfast.lock.port;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import java.util.Optional;

public sealed interface ForceReleaseOutcome {
    /**
     * @param previous the lease that was taken from its holder; absent if the answer of the first try was lost and the
     *     lock has been granted again since
     * @param token the raised token; a resource that has seen it rejects the old one
     */
    record Freed(Optional<Lease> previous, FencingToken token) implements ForceReleaseOutcome {}

    /** The token was right, but the holder had already released the lock; nothing was changed. */
    record AlreadyFree(LockRecord record) implements ForceReleaseOutcome {}

    /** The lock has another token than was seen; nothing was changed. */
    record TokenChanged(LockRecord current) implements ForceReleaseOutcome {}

    /**
     * The request is limited to the leases of one subject, and the last lease of the lock is not one of them; nothing
     * was changed.
     */
    record BelongsToAnother(LockRecord current) implements ForceReleaseOutcome {}

    record NoSuchLock() implements ForceReleaseOutcome {}
}
