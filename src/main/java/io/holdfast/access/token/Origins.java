package io.holdfast.access.token;

import io.holdfast.access.file.AccessFile;
import io.holdfast.access.file.StaticToken;
import io.holdfast.access.file.TrustedIssuer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Identifies which entry of the access file vouches for a caller. A later version of the file without the same entry
 * ends what the caller has open. Holds no secret, and no hash of one.
 */
final class Origins {
    static final String CERTIFICATE = "cert";

    private static final String KEY = "/";

    private final Map<String, IssuerKeys> issuers = new HashMap<>();
    private final Set<String> tokens;

    Origins(AccessFile file, List<IssuerKeys> issuers) {
        issuers.forEach(one -> this.issuers.put(of(one.issuer()), one));
        this.tokens = file.tokens().stream().map(Origins::of).collect(Collectors.toSet());
    }

    static String of(StaticToken token) {
        return Hashes.sha256("token\n" + token.name() + "\n" + token.sha256());
    }

    static String of(TrustedIssuer issuer, String keyFingerprint) {
        return of(issuer) + KEY + keyFingerprint;
    }

    private static String of(TrustedIssuer issuer) {
        return Hashes.sha256("issuer\n" + issuer.name() + "\n" + issuer.issuer() + "\n"
                + issuer.keys().jwks() + "\n" + new TreeSet<>(issuer.audiences()) + new TreeSet<>(issuer.algorithms()));
    }

    /** Why the entry does not count any more. */
    Optional<String> ended(String origin) {
        if (origin.equals(CERTIFICATE) || tokens.contains(origin)) {
            return Optional.empty();
        }
        var parts = origin.split(KEY, 2);
        var issuer = Optional.ofNullable(issuers.get(parts[0]));
        if (issuer.isEmpty()) {
            return Optional.of("The access file has changed, and no longer has the token or its issuer.");
        }
        return issuer.filter(keys -> keys.hasRemoved(parts[1]))
                .map(keys -> "The issuer has removed the key of the token.");
    }
}
