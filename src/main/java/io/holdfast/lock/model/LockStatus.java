package io.holdfast.lock.model;

import java.util.Locale;

/** How a record reads at a given time. */
public enum LockStatus {
    /** Somebody holds the lock. */
    ACTIVE,
    /** The lease ran out and nobody has taken the lock since. */
    EXPIRED,
    /** Taken away by an administrator, and closed to everybody until the lock delay has passed. */
    RELEASING,
    /** Given back, or taken away and open again. */
    RELEASED;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
