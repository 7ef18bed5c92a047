package io.holdfast.kernel;

import java.time.Duration;

/** Checks of settings at start. The error message names the key to change. */
public final class Settings {
    private Settings() {}

    public static void requireAtLeast(String key, long value, long min) {
        if (value < min) {
            throw new IllegalStateException(key + " (" + value + ") must be at least " + min);
        }
    }

    public static void requireAtLeast(String key, long value, String boundKey, long bound) {
        if (value < bound) {
            throw new IllegalStateException(key + " (" + value + ") must be at least " + boundKey + " (" + bound + ")");
        }
    }

    /** @param boundName names {@code bound} in the message: another key, or a description */
    public static void requireAtLeast(String key, Duration value, String boundName, Duration bound) {
        if (value.compareTo(bound) < 0) {
            throw new IllegalStateException(
                    key + " (" + text(value) + ") must be at least " + boundName + " (" + text(bound) + ")");
        }
    }

    public static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
