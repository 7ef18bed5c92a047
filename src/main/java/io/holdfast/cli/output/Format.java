package io.holdfast.cli.output;

import java.util.Locale;

/** How results are written. */
public enum Format {
    /** For people. */
    TABLE,
    /** As the service sends it. */
    JSON,
    /** For {@code cut} and {@code read}: tabs between fields, no headings, no rounding. */
    PLAIN;

    /** As the user types it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
