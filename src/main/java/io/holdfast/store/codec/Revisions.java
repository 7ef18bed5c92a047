package io.holdfast.store.codec;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Version numbers. They are random and not counted, so a record that was removed and created again gets another one.
 */
public final class Revisions {
    /** The sum of thousands of them fits into a long. */
    private static final long BOUND = 1L << 40;

    private Revisions() {}

    /** Never zero. */
    public static long fresh() {
        return ThreadLocalRandom.current().nextLong(1, BOUND);
    }
}
