package io.holdfast.registry;

import io.holdfast.kernel.Text;

public record AppName(String value) implements Comparable<AppName> {
    public AppName {
        Text.name("app", value);
    }

    @Override
    public int compareTo(AppName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
