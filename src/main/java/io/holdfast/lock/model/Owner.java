package io.holdfast.lock.model;

import io.holdfast.kernel.Text;

/** Who holds a lock: an execution, a pod, a person. Two processes that use one owner are one owner. */
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
