package io.holdfast.lifecycle.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import io.holdfast.lock.model.LockName;
import java.util.Set;

/** Identifies a service whose status is kept. */
public record ServiceId(String value) implements Comparable<ServiceId> {
    private static final String LOCK_PREFIX = "SERVICE#";

    /** The lock's name, with its prefix, is bounded too. */
    private static final int LENGTH_MAX = Text.NAME_LENGTH_MAX - LOCK_PREFIX.length();

    /** Paths of the API below {@code /v1/services}. */
    private static final Set<String> RESERVED = Set.of("events");

    public ServiceId {
        Text.name("id", value, LENGTH_MAX);
        if (RESERVED.contains(value)) {
            throw new InvalidInputException("id", "a name other than " + String.join(", ", RESERVED));
        }
    }

    /** The name of the lock that every writer of this service's status holds. */
    public LockName lock() {
        return new LockName(LOCK_PREFIX + value);
    }

    @Override
    public int compareTo(ServiceId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
