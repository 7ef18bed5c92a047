package io.holdfast.lock.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.time.Duration;

/**
 * An administrator's order to take a lock from its holder.
 *
 * @param seen the token the administrator saw; with any other one nothing happens
 * @param reason for the audit
 * @param lockDelay how long nobody may take the lock, so that the old holder can notice
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
