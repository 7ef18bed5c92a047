package io.holdfast.cli.output;

import java.util.Locale;

/** How results are written. */
public enum Format {
    /** For people. */
    TABLE,
    /** As the service says it. */
    JSON,
    /** For {@code cut} and {@code read}: fields with tabs between them, no heading, nothing rounded. */
    PLAIN;

    /** As it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
