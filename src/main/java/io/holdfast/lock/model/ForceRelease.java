package io.holdfast.lock.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.time.Duration;

/**
 * An administrator's request to take a lock from its holder.
 *
 * @param seen the token that the administrator saw; nothing changes if the lock has another one
 * @param reason for the audit
 * @param lockDelay how long the lock cannot be acquired, so that the old holder can notice the loss
 */
public record ForceRelease(LockName name, FencingToken seen, String reason, Duration lockDelay) {
    public static final int REASON_LENGTH_MAX = 256;

    public ForceRelease {
        Text.words("reason", reason, REASON_LENGTH_MAX);
        if (reason.isBlank()) {
            throw new InvalidInputException("reason", "a sentence that says why the lock is taken from its holder");
        }
    }
}
