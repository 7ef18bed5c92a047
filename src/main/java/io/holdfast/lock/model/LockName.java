package io.holdfast.lock.model;

import io.holdfast.kernel.Text;

/** The thing that is locked, as its users call it: {@code terraform-prod}, {@code DB#i-0abc}. */
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
