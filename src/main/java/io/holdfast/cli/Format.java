package io.holdfast.cli;

/** How results are written. */
enum Format {
    /** For people. */
    TABLE,
    /** As the service says it. */
    JSON,
    /** For {@code cut} and {@code read}: fields with tabs between them, no heading, nothing rounded. */
    PLAIN
}
