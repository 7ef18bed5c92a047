package io.holdfast.store.codec;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Numbers that tell one state of a thing from every other. They are drawn, not counted, so what was removed and made
 * again is not taken for what it was.
 */
public final class Revisions {
    /** Thousands of them add up within a long. */
    private static final long BOUND = 1L << 40;

    private Revisions() {}

    /** Never zero. */
    public static long fresh() {
        return ThreadLocalRandom.current().nextLong(1, BOUND);
    }
}
