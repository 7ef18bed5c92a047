package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;

/** The EC2 instance id of a database if it has one, else {@code host:port}. */
public record DatabaseId(String value) implements Comparable<DatabaseId> {
    /** Shorter than a lock name, because the name of the lock of the database is a prefix and this id. */
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
