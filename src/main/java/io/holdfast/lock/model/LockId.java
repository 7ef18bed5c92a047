package io.holdfast.lock.model;

import io.holdfast.kernel.InvalidInputException;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/** Identifies one acquisition of a lock. A caller that chooses it can safely retry after a lost answer. */
public record LockId(String value) {
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    public LockId {
        value = value == null ? "" : value.toLowerCase(Locale.ROOT);
        if (!UUID_TEXT.matcher(value).matches()) {
            throw new InvalidInputException("lock_id", "a UUID such as 123e4567-e89b-42d3-a456-426614174000");
        }
    }

    public static LockId random() {
        return new LockId(UUID.randomUUID().toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
