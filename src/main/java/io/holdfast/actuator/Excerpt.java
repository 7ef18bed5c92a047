package io.holdfast.actuator;

import java.util.regex.Pattern;

/** The beginning of somebody else's text, on one line, fit for a reason and a log. */
final class Excerpt {
    static final int LENGTH_MAX = 200;

    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{C}]+");

    private Excerpt() {}

    static String of(String text) {
        var line = BLANKS.matcher(text).replaceAll(" ").strip();
        return line.length() <= LENGTH_MAX ? line : line.substring(0, LENGTH_MAX) + "…";
    }

    static String of(Throwable failure) {
        var name = failure.getClass().getSimpleName();
        return failure.getMessage() == null ? name : of(name + ": " + failure.getMessage());
    }
}
