package io.holdfast.lock.model;

import io.holdfast.kernel.Text;

/** The name of a lock, such as {@code terraform-prod} or {@code DB#i-0abc}. */
public record LockName(String value) implements Comparable<LockName> {
    public LockName {
        Text.name("name", value);
    }

    @Override
    public int compareTo(LockName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
