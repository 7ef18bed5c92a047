package io.holdfast.lock.model;

import io.holdfast.kernel.Text;

/** The owner of a lock: an execution, a pod, a person. Two processes with the same owner count as one. */
public record Owner(String value) {
    public static final int LENGTH_MAX = 255;

    public Owner {
        Text.printable("owner", value, LENGTH_MAX);
    }

    @Override
    public String toString() {
        return value;
    }
}
