package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;

/** A database: its EC2 instance id if it has one, else {@code host:port}. */
public record DatabaseId(String value) implements Comparable<DatabaseId> {
    /** Shorter than other names, because the lock of a database is named after it with a prefix. */
    public static final int LENGTH_MAX = 250;

    public DatabaseId {
        Text.name("database", value);
        if (value.length() > LENGTH_MAX) {
            throw new InvalidInputException("database", "at most " + LENGTH_MAX + " characters");
        }
    }

    @Override
    public int compareTo(DatabaseId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
