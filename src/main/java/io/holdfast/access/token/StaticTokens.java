package io.holdfast.access.token;

import io.holdfast.access.file.StaticToken;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/** The static tokens of the access file. */
final class StaticTokens {
    private final List<StaticToken> all;

    StaticTokens(List<StaticToken> all) {
        this.all = List.copyOf(all);
    }

    /** Compares with every token in the same time, whichever matches. */
    Optional<StaticToken> match(String sha256) {
        var shown = sha256.getBytes(StandardCharsets.US_ASCII);
        var found = Optional.<StaticToken>empty();
        for (var token : all) {
            var matches = MessageDigest.isEqual(token.sha256().getBytes(StandardCharsets.US_ASCII), shown);
            found = matches ? Optional.of(token) : found;
        }
        return found;
    }
}
