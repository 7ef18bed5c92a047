package io.holdfast.lock.model;

import io.holdfast.kernel.InvalidInputException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The kind of resource that a lock protects. A label for lists and metrics; no rule depends on it. */
public enum LockType {
    GENERIC,
    DATABASE,
    CLUSTER,
    SERVICE,
    SYSTEM,
    /** A type that a newer version has written. Callers cannot request it. */
    OTHER;

    /** Parses the type in a request. */
    public static LockType of(String text) {
        var type = stored(text);
        if (type == OTHER) {
            throw new InvalidInputException(
                    "lock_type",
                    "one of "
                            + Arrays.stream(values())
                                    .filter(known -> known != OTHER)
                                    .map(LockType::text)
                                    .collect(Collectors.joining(", ")));
        }
        return type;
    }

    /** Parses the type in a record. */
    public static LockType stored(String text) {
        return Arrays.stream(values())
                .filter(type -> type.text().equals(text))
                .findFirst()
                .orElse(OTHER);
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
