package io.holdfast.lock.model;

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
    SYSTEM,
    /** One that this version does not know: a newer one has written it. Callers cannot ask for it. */
    OTHER;

    /** What a caller asks for. */
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

    /** What a record says. */
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
