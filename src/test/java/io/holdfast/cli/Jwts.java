package io.holdfast.cli;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** Tokens that look like JWTs. Their signatures are not valid. */
public final class Jwts {
    private Jwts() {}

    public static String expiringAt(Instant end) {
        return of("{\"sub\":\"ada\",\"exp\":%d}".formatted(end.getEpochSecond()));
    }

    public static String of(String claims) {
        return "%s.%s.c2lnbmF0dXJl".formatted(encoded("{\"alg\":\"RS256\"}"), encoded(claims));
    }

    private static String encoded(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
