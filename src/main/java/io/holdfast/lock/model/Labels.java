package io.holdfast.lock.model;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Text;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Descriptive data that a holder supplies. No rule depends on it. */
public record Labels(LockType type, Optional<String> userEmail, Map<String, String> metadata) {
    public static final int EMAIL_LENGTH_MAX = 254;
    public static final int METADATA_ENTRIES_MAX = 16;
    public static final int METADATA_KEY_LENGTH_MAX = 64;
    public static final int METADATA_VALUE_LENGTH_MAX = 256;

    public static final Labels NONE = new Labels(LockType.GENERIC, Optional.empty(), Map.of());

    private static final Pattern KEY = Pattern.compile("[\\x20-\\x7e]{1," + METADATA_KEY_LENGTH_MAX + "}");
    private static final Pattern EMAIL = Pattern.compile("[\\x21-\\x3f\\x41-\\x7e]+@[\\x21-\\x3f\\x41-\\x7e]+");

    public Labels {
        userEmail.ifPresent(Labels::checkEmail);
        if (metadata.size() > METADATA_ENTRIES_MAX) {
            throw new InvalidInputException("metadata", "at most " + METADATA_ENTRIES_MAX + " entries");
        }
        metadata.forEach(Labels::checkEntry);
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    }

    public static Labels of(LockType type) {
        return new Labels(type, Optional.empty(), Map.of());
    }

    private static void checkEmail(String email) {
        if (email.length() > EMAIL_LENGTH_MAX || !EMAIL.matcher(email).matches()) {
            throw new InvalidInputException(
                    "user_email", "an address such as ada@example.com of at most " + EMAIL_LENGTH_MAX + " characters");
        }
    }

    private static void checkEntry(String key, String value) {
        if (!KEY.matcher(key).matches()) {
            throw new InvalidInputException(
                    "metadata", "a map whose keys are 1 to " + METADATA_KEY_LENGTH_MAX + " printable ASCII characters");
        }
        Text.words("metadata." + key, value, METADATA_VALUE_LENGTH_MAX);
    }
}
