package io.holdfast.registry;

import io.holdfast.kernel.Text;

/** A database: its EC2 instance id if it has one, else {@code host:port}. */
public record DatabaseId(String value) implements Comparable<DatabaseId> {
    public DatabaseId {
        Text.name("database", value);
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
