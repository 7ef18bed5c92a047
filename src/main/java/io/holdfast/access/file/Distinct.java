package io.holdfast.access.file;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Values that must differ from each other, such as names. */
final class Distinct {
    private final Map<String, Integer> lines = new HashMap<>();

    /** Reports a value that was there before. */
    void add(Field field, String value) {
        var before = lines.putIfAbsent(value, field.node().line());
        if (before != null) {
            field.errors()
                    .add(
                            field,
                            "'%s' is already in line %d; each must differ".formatted(FileErrors.shown(value), before));
        }
    }

    Set<String> all() {
        return lines.keySet();
    }
}
