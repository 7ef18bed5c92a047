package io.holdfast.cli.token;

import java.util.Optional;
import java.util.regex.Pattern;

/** A bearer token. Only {@link #header()} has its text, so that no message or log line can contain it by mistake. */
public final class Token {
    static final String ALLOWED = "one token of at most 8192 visible ASCII characters, without spaces";

    static final int LENGTH_MAX = 8 * 1024;

    private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]+");
    private static final String HIDDEN = "[token]";
    private static final int HIDDEN_LENGTH_MIN = 8;

    private final String text;

    private Token(String text) {
        this.text = text;
    }

    /** Ignores white space around the token. Empty if the text is not a token. */
    static Optional<Token> parse(String text) {
        var stripped = text.strip();
        return stripped.length() <= LENGTH_MAX && VISIBLE.matcher(stripped).matches()
                ? Optional.of(new Token(stripped))
                : Optional.empty();
    }

    /** The value of the header {@code Authorization}. */
    public String header() {
        return "Bearer " + text;
    }

    /** Empty if the token is not a JWT. */
    public Optional<JwtTimes> times() {
        return JwtTimes.of(text);
    }

    /** Replaces the token in a text from elsewhere. A short one would also be found in ordinary words. */
    public String hiddenIn(String other) {
        return text.length() < HIDDEN_LENGTH_MIN ? other : other.replace(text, HIDDEN);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Token token && token.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return HIDDEN;
    }
}
