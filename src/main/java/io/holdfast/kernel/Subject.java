package io.holdfast.kernel;

/**
 * Who sends a request, as access control knows it: {@code ISSUER:sub}, {@code token:NAME} or {@code cert:SAN}. Compared
 * character by character.
 */
public record Subject(String value) implements Comparable<Subject> {
    public static final int LENGTH_MAX = 512;

    public Subject {
        Text.printable("subject", value, LENGTH_MAX);
    }

    @Override
    public int compareTo(Subject other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
