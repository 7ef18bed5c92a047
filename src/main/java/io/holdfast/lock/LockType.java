package io.holdfast.lock;

import io.holdfast.kernel.InvalidInputException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What kind of thing a lock guards; a label for lists and metrics, no rule depends on it. */
public enum LockType {
    GENERIC,
    DATABASE,
    CLUSTER,
    SERVICE,
    SYSTEM;

    public static LockType of(String text) {
        for (var type : values()) {
            if (type.text().equals(text)) {
                return type;
            }
        }
        throw new InvalidInputException(
                "lock_type",
                "one of " + Arrays.stream(values()).map(LockType::text).collect(Collectors.joining(", ")));
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
