package io.holdfast.access.token;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.remote.StrictJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Takes a JWT in compact form apart, more strictly than the standard: base64url has one spelling, names in JSON are
 * unique, and the header can neither bring a key nor name one elsewhere.
 */
final class TokenParser {
    private static final int PARTS = 3;
    private static final int KID_LENGTH_MAX = 256;
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/jwt", "application/at+jwt");

    /** Header fields that change how the token is read, or that bring the key with which it is to be verified. */
    private static final List<String> REFUSED_FIELDS =
            List.of("crit", "b64", "zip", "enc", "cty", "jwk", "jku", "x5u", "epk", "p2c");

    private final StrictJson json = new StrictJson();

    sealed interface Parsed {
        /** @param kid names the key */
        record Signed(String algorithm, Optional<String> kid, JsonNode claims) implements Parsed {}

        record Unreadable(String reason) implements Parsed {}
    }

    Parsed parse(String token) {
        var parts = token.split("\\.", -1);
        if (parts.length != PARTS) {
            return new Parsed.Unreadable("The token is not a signed JWT: it must have three parts.");
        }
        var header = part(parts[0]).flatMap(json::object);
        var claims = part(parts[1]).flatMap(json::object);
        if (header.isEmpty() || claims.isEmpty() || decoded(parts[2]).isEmpty()) {
            return new Parsed.Unreadable(
                    "The token is not a signed JWT: its parts must be base64url, the first two of JSON objects.");
        }
        return signed(header.get(), claims.get());
    }

    private static Parsed signed(JsonNode header, JsonNode claims) {
        for (var field : REFUSED_FIELDS) {
            if (header.has(field)) {
                return new Parsed.Unreadable("The header of the token must not have '%s'.".formatted(field));
            }
        }
        if (!header.path("alg").isTextual()) {
            return new Parsed.Unreadable("The header of the token must name its algorithm (alg).");
        }
        var type = header.path("typ");
        if (!type.isMissingNode() && !TYPES.contains(type.asText("").toLowerCase(Locale.ROOT))) {
            return new Parsed.Unreadable("The type (typ) of the token must be JWT or at+jwt.");
        }
        var kid = header.path("kid");
        if (!kid.isMissingNode() && (!kid.isTextual() || kid.textValue().length() > KID_LENGTH_MAX)) {
            return new Parsed.Unreadable(
                    "The key id (kid) of the token must be text of at most " + KID_LENGTH_MAX + " characters.");
        }
        return new Parsed.Signed(header.path("alg").textValue(), Optional.ofNullable(kid.textValue()), claims);
    }

    private static Optional<String> part(String encoded) {
        return decoded(encoded).flatMap(TokenParser::utf8);
    }

    /** Without padding and blanks, and with zeroes in the bits that stand for nothing. */
    private static Optional<byte[]> decoded(String encoded) {
        try {
            var bytes = Base64.getUrlDecoder().decode(encoded);
            var again = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            return Optional.of(bytes).filter(decoded -> decoded.length > 0 && again.equals(encoded));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
