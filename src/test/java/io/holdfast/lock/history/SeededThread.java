package io.holdfast.lock.history;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.concurrent.ThreadLocalRandom;

/** Makes the random numbers that production code takes from {@link ThreadLocalRandom} follow from a history's seed. */
final class SeededThread {
    private SeededThread() {}

    /** Needs java.lang to be open; otherwise a seed gives a like history, but not the very same. */
    static void seed(long seed) {
        ThreadLocalRandom.current();
        try {
            var field = seedField();
            field.setLong(Thread.currentThread(), seed);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            System.err.println("A seed does not reproduce its history exactly without"
                    + " --add-opens=java.base/java.lang=ALL-UNNAMED");
        }
    }

    private static Field seedField() throws NoSuchFieldException {
        var field = Thread.class.getDeclaredField("threadLocalRandomSeed");
        field.setAccessible(true);
        return field;
    }
}
