package io.holdfast.job.model;

import io.holdfast.kernel.Text;
import io.holdfast.lock.model.LockName;
import java.util.UUID;

/** Identifies a cluster: a resource on which one worker at a time may operate. */
public record ClusterId(String value) implements Comparable<ClusterId> {
    private static final String LOCK_PREFIX = "CLUSTER#";

    /** The lock's name, with its prefix, is bounded too. */
    private static final int LENGTH_MAX = Text.NAME_LENGTH_MAX - LOCK_PREFIX.length();

    public ClusterId {
        Text.name("id", value, LENGTH_MAX);
    }

    public static ClusterId random() {
        return new ClusterId(UUID.randomUUID().toString());
    }

    /** The name of the lock that the worker of this cluster holds. */
    public LockName lock() {
        return new LockName(LOCK_PREFIX + value);
    }

    @Override
    public int compareTo(ClusterId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
