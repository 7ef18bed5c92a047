package io.holdfast.access.model;

import io.holdfast.access.model.Credentials.Malformed;
import io.holdfast.access.model.Credentials.Token;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Parses {@code Authorization: Bearer TOKEN} and {@code Authorization: Basic BASE64(USER:TOKEN)}. */
final class AuthorizationHeader {
    /** Larger than the largest setting for a token, encoded in Basic. */
    static final int LENGTH_MAX = 128 * 1024;

    /** RFC 9110: a scheme, one or more spaces, token68. */
    private static final Pattern FORM = Pattern.compile("([A-Za-z]{1,20}) +([A-Za-z0-9._~+/-]+=*)");

    private AuthorizationHeader() {}

    static Credentials parse(List<String> values) {
        if (values.size() > 1) {
            return new Malformed("The request has more than one Authorization header.");
        }
        var value = values.getFirst();
        if (value.length() > LENGTH_MAX) {
            return new Malformed("The Authorization header is too long.");
        }
        var form = FORM.matcher(value);
        if (!form.matches()) {
            return new Malformed(
                    "The Authorization header must be 'Bearer TOKEN' or 'Basic' with base64 of USER:TOKEN.");
        }
        return switch (form.group(1).toLowerCase(Locale.ROOT)) {
            case "bearer" -> new Token(form.group(2));
            case "basic" -> basic(form.group(2));
            default -> new Malformed("The Authorization header must have the scheme Bearer or Basic.");
        };
    }

    private static Credentials basic(String encoded) {
        try {
            var pair = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(encoded)))
                    .toString();
            var colon = pair.indexOf(':');
            return colon < 0 || colon == pair.length() - 1
                    ? new Malformed("Basic credentials must be USER:TOKEN with a token.")
                    : new Token(pair.substring(colon + 1));
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return new Malformed("Basic credentials must be base64 of USER:TOKEN in UTF-8.");
        }
    }
}
