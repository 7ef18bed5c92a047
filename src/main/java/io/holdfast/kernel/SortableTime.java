package io.holdfast.kernel;

import java.time.Instant;
import java.util.Locale;

/** Times as text that sorts as the times do: milliseconds since 1970 in 13 digits. */
public final class SortableTime {
    private static final int DIGITS = 13;

    private SortableTime() {}

    public static String text(Instant at) {
        var millis = at.toEpochMilli();
        var text = Long.toString(millis);
        // From 2001 to 2286 there is nothing to pad. Formatting is slow, and each commit needs several of these.
        return text.length() == DIGITS && millis > 0 ? text : String.format(Locale.ROOT, "%0" + DIGITS + "d", millis);
    }
}
