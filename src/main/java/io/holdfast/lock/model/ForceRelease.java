package io.holdfast.lock.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Subject;
import io.holdfast.kernel.Text;
import java.time.Duration;
import java.util.Optional;

/**
 * A request to take a lock from its holder, by an administrator or by the subject that the lease belongs to.
 *
 * @param seen the token that was seen; nothing changes if the lock has another one
 * @param reason for the audit
 * @param lockDelay how long the lock cannot be acquired, so that the old holder can notice the loss
 * @param onlyOf if present, only a lease that belongs to this subject is ended. A lease without a subject belongs to none
 */
public record ForceRelease(
        LockName name, FencingToken seen, String reason, Duration lockDelay, Optional<Subject> onlyOf) {
    public static final int REASON_LENGTH_MAX = 256;

    public ForceRelease {
        Text.words("reason", reason, REASON_LENGTH_MAX);
        if (reason.isBlank()) {
            throw new InvalidInputException("reason", "a sentence that says why the lock is taken from its holder");
        }
    }

    /** Of any lease. */
    public ForceRelease(LockName name, FencingToken seen, String reason, Duration lockDelay) {
        this(name, seen, reason, lockDelay, Optional.empty());
    }

    public boolean allows(Lease lease) {
        return onlyOf.isEmpty() || onlyOf.equals(lease.owner().subject());
    }
}
