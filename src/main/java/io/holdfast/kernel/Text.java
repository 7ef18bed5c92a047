package io.holdfast.kernel;

import java.util.regex.Pattern;

/** What the texts that callers send must look like. */
public final class Text {
    public static final int NAME_LENGTH_MAX = 255;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:#@/-]{1," + NAME_LENGTH_MAX + "}");
    private static final Pattern PRINTABLE_ASCII = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");

    /** What decoders leave where the bytes of a parameter were no UTF-8. */
    private static final int REPLACEMENT = 0xfffd;

    private Text() {}

    /** A name that can stand in a path: locks, apps, databases, clusters. */
    public static String name(String field, String value) {
        // URL normalisation drops these two segments, so such a thing could be made but never addressed.
        var addressable = value != null && !value.equals(".") && !value.equals("..");
        return require(
                addressable && NAME.matcher(value).matches(),
                value,
                field,
                "1 to " + NAME_LENGTH_MAX + " characters of A-Z a-z 0-9 . _ : # @ / - (neither . nor .. by itself)");
    }

    /** What a name may begin with; nothing at all is fine. */
    public static String namePrefix(String field, String value) {
        return require(
                value.isEmpty() || NAME.matcher(value).matches(),
                value,
                field,
                "at most " + NAME_LENGTH_MAX + " characters of A-Z a-z 0-9 . _ : # @ / -");
    }

    /** One line that is safe in a log, a header and a sentence. */
    public static String printable(String field, String value, int lengthMax) {
        return require(
                value != null
                        && value.length() <= lengthMax
                        && PRINTABLE_ASCII.matcher(value).matches(),
                value,
                field,
                "1 to " + lengthMax + " printable ASCII characters, without blanks at the ends");
    }

    /** Words of a person in any language: everything but control characters and what was no text at all. */
    public static String words(String field, String value, int lengthMax) {
        return require(
                value != null
                        && value.length() <= lengthMax
                        && value.codePoints().noneMatch(Text::isUnprintable),
                value,
                field,
                "at most " + lengthMax + " characters without control characters");
    }

    /** The reason that a person gives for a change: words, and at least one of them. */
    public static String reason(String field, String value, int lengthMax) {
        words(field, value, lengthMax);
        return require(!value.isBlank(), value, field, "a sentence that says why, and not blank");
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

    /** These make a line read as something else than it says. */
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
