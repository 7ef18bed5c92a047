package io.holdfast.kernel;

import java.util.regex.Pattern;

/** Checks of the texts that callers send. */
public final class Text {
    public static final int NAME_LENGTH_MAX = 255;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:#@/-]{1," + NAME_LENGTH_MAX + "}");
    private static final Pattern PRINTABLE_ASCII = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");

    /** The character that decoders insert for bytes that are not UTF-8. */
    private static final int REPLACEMENT = 0xfffd;

    private Text() {}

    /** A name that can be used in a URL path: of a lock, an app, a database. */
    public static String name(String field, String value) {
        return name(field, value, NAME_LENGTH_MAX);
    }

    /** A name of at most {@code lengthMax} characters. */
    public static String name(String field, String value, int lengthMax) {
        // URL normalisation removes these two segments, so no URL could address an object with such a name.
        var addressable = value != null && !value.equals(".") && !value.equals("..");
        return require(
                addressable
                        && value.length() <= lengthMax
                        && NAME.matcher(value).matches(),
                value,
                field,
                "1 to " + lengthMax + " characters of A-Z a-z 0-9 . _ : # @ / - (neither . nor .. by itself)");
    }

    /** A prefix of names; may be empty. */
    public static String namePrefix(String field, String value) {
        return require(
                value.isEmpty() || NAME.matcher(value).matches(),
                value,
                field,
                "at most " + NAME_LENGTH_MAX + " characters of A-Z a-z 0-9 . _ : # @ / -");
    }

    /** One line of printable ASCII, safe in logs and headers. */
    public static String printable(String field, String value, int lengthMax) {
        return require(
                value != null
                        && value.length() <= lengthMax
                        && PRINTABLE_ASCII.matcher(value).matches(),
                value,
                field,
                "1 to " + lengthMax + " printable ASCII characters, without blanks at the ends");
    }

    /** Free text in any language, without control characters and invalid characters. */
    public static String words(String field, String value, int lengthMax) {
        return require(
                value != null
                        && value.length() <= lengthMax
                        && value.codePoints().noneMatch(Text::isUnprintable),
                value,
                field,
                "at most " + lengthMax + " characters without control characters");
    }

    /** The reason that a user gives for a change; not blank. */
    public static String reason(String field, String value, int lengthMax) {
        words(field, value, lengthMax);
        return require(!value.isBlank(), value, field, "a sentence that says why, and not blank");
    }

    /** Free text of a program, changed so that {@link #words} accepts it. */
    public static String cleaned(String text, int lengthMax) {
        var cleaned = new StringBuilder();
        for (var i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            var one = isUnprintable(text.codePointAt(i)) ? ' ' : text.codePointAt(i);
            if (cleaned.length() + Character.charCount(one) > lengthMax) {
                break;
            }
            cleaned.appendCodePoint(one);
        }
        return cleaned.toString().strip();
    }

    private static boolean isUnprintable(int codePoint) {
        if (codePoint == REPLACEMENT || isBidiControl(codePoint)) {
            return true;
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            default -> false;
        };
    }

    /** Bidirectional controls can make a line display in another order than it is stored. */
    private static boolean isBidiControl(int codePoint) {
        return codePoint == 0x200e
                || codePoint == 0x200f
                || codePoint >= 0x202a && codePoint <= 0x202e
                || codePoint >= 0x2066 && codePoint <= 0x2069;
    }

    private static String require(boolean good, String value, String field, String allowed) {
        if (!good) {
            throw new InvalidInputException(field, allowed);
        }
        return value;
    }
}
