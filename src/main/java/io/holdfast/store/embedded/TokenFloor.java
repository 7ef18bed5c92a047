package io.holdfast.store.embedded;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import java.util.Optional;

/**
 * The highest token of any lock record that was purged. The clock may have been far ahead when it purged a record.
 * Tokens must not fall after it is corrected.
 */
record TokenFloor(EmbeddedTable<String> table) {
    private static final String KEY = "floor";

    /** Call it on the writer. */
    long get() {
        return number(table.get(KEY));
    }

    /** The last committed value, for any thread. */
    long committed() {
        return number(Optional.ofNullable(table.committed().get(KEY)));
    }

    /** Call it on the writer. */
    void raise(FencingToken purged) {
        if (purged.value() > get()) {
            table.put(KEY, purged.toString());
        }
    }

    private static long number(Optional<String> stored) {
        return stored.map(Long::parseLong).orElse(0L);
    }
}
