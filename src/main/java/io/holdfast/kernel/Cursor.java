package io.holdfast.kernel;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The position at which a listing continues. Valid only for the store that created it. */
public record Cursor(String position) {
    private static final int TEXT_LENGTH_MAX = 1024;

    /** The inverse of {@link #text()}. */
    public static Cursor parse(String text) {
        try {
            if (text.isEmpty() || text.length() > TEXT_LENGTH_MAX) {
                throw malformed();
            }
            var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            return new Cursor(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw malformed();
        }
    }

    public static InvalidInputException malformed() {
        return new InvalidInputException("cursor", "a next_cursor from an earlier answer");
    }

    public String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }
}
