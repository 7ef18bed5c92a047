package io.holdfast.cli.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/** When a JWT is valid, as it says itself. Its signature is not checked: only the service can tell whether it is valid. */
public record JwtTimes(Optional<Instant> notBefore, Optional<Instant> expiresAt) {
    private static final int PARTS = 3;

    /** The year 9999. Later times are not shown. */
    private static final long SECONDS_MAX = 253_402_300_799L;

    /** Empty if the text is not a JWT. */
    static Optional<JwtTimes> of(String token) {
        var parts = token.split("\\.", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        try {
            var json = new ObjectMapper();
            var header = json.readTree(Base64.getUrlDecoder().decode(parts[0]));
            var claims = json.readTree(Base64.getUrlDecoder().decode(parts[1]));
            return header.has("alg") && claims.isObject()
                    ? Optional.of(new JwtTimes(time(claims.path("nbf")), time(claims.path("exp"))))
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException notJwt) {
            return Optional.empty();
        }
    }

    private static Optional<Instant> time(JsonNode seconds) {
        return seconds.isNumber() && seconds.asDouble() >= 0 && seconds.asDouble() <= SECONDS_MAX
                ? Optional.of(Instant.ofEpochSecond(seconds.asLong()))
                : Optional.empty();
    }

    public boolean isExpired(Instant now) {
        return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
    }

    public boolean isNotYetValid(Instant now) {
        return notBefore.filter(now::isBefore).isPresent();
    }
}
