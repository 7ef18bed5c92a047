package io.holdfast.remote;

import java.util.regex.Pattern;

/** The beginning of a foreign text on one line, for reasons and logs. */
public final class Excerpt {
    public static final int LENGTH_MAX = 200;

    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{C}\\p{Z}]+");

    private Excerpt() {}

    public static String of(String text) {
        var line = BLANKS.matcher(text).replaceAll(" ").strip();
        return line.length() <= LENGTH_MAX ? line : line.substring(0, LENGTH_MAX) + "…";
    }

    public static String of(Throwable failure) {
        var name = failure.getClass().getSimpleName();
        return failure.getMessage() == null ? name : of(name + ": " + failure.getMessage());
    }
}
