package io.holdfast.lock.model;

import java.util.Locale;

/** The state of a lock at a given time. */
public enum LockStatus {
    /** An owner holds the lock. */
    ACTIVE,
    /** The lease has expired, and the lock has not been acquired since. */
    EXPIRED,
    /** Released by force. The lock cannot be acquired until the lock delay is over. */
    RELEASING,
    /** Released, or released by force and no longer in its lock delay. */
    RELEASED;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
