package io.holdfast.access.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.HashMap;
import java.util.Optional;
import java.util.stream.Stream;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;

/**
 * A public key of an issuer, for signatures.
 *
 * @param type {@code RSA}, or the curve
 * @param algorithm the only one that its issuer uses it for; empty if the issuer does not say
 * @param fingerprint the SHA-256 of the key and of what it may be used for
 */
record VerificationKey(
        Optional<String> kid, String type, Optional<String> algorithm, PublicKey key, String fingerprint) {
    private static final int RSA_BITS_MIN = 2048;
    private static final int RSA_BITS_MAX = 8192;

    boolean fits(String wanted) {
        var types =
                switch (wanted) {
                    case "RS256", "RS384", "RS512", "PS256", "PS384", "PS512" -> "RSA";
                    case "ES256" -> "P-256";
                    case "ES384" -> "P-384";
                    case "ES512" -> "P-521";
                    case "EdDSA" -> "Ed25519";
                    default -> "";
                };
        return types.equals(type)
                && algorithm.filter(only -> !only.equals(wanted)).isEmpty();
    }

    /** Empty for keys that are secret, weak, or not for signatures. */
    static Optional<VerificationKey> of(JsonNode jwk) {
        if (!isForSignatures(jwk)) {
            return Optional.empty();
        }
        return type(jwk)
                .flatMap(
                        type -> publicKey(jwk).filter(VerificationKey::isStrong).map(key -> {
                            var kid = Optional.ofNullable(jwk.path("kid").textValue());
                            var algorithm = Optional.ofNullable(jwk.path("alg").textValue());
                            var identity = kid.orElse("") + "\n" + algorithm.orElse("") + "\n" + type + "\n"
                                    + Hashes.sha256(key.getEncoded());
                            return new VerificationKey(kid, type, algorithm, key, Hashes.sha256(identity));
                        }));
    }

    private static boolean isForSignatures(JsonNode jwk) {
        var use = jwk.path("use");
        var operations = jwk.path("key_ops");
        return (use.isMissingNode() || "sig".equals(use.textValue()))
                && (operations.isMissingNode()
                        || Stream.iterate(0, i -> i < operations.size(), i -> i + 1)
                                .anyMatch(i -> "verify".equals(operations.get(i).textValue())));
    }

    private static Optional<String> type(JsonNode jwk) {
        var curve = jwk.path("crv").asText("");
        return switch (jwk.path("kty").asText("")) {
            case "RSA" -> Optional.of("RSA");
            case "EC" -> Optional.of(curve).filter(name -> name.matches("P-256|P-384|P-521"));
            case "OKP" -> Optional.of(curve).filter("Ed25519"::equals);
            default -> Optional.empty();
        };
    }

    /** From the public numbers only: certificates and private parts beside them are ignored. */
    private static Optional<PublicKey> publicKey(JsonNode jwk) {
        var parameters = new HashMap<String, Object>();
        for (var name : new String[] {"kty", "n", "e", "crv", "x", "y"}) {
            if (jwk.path(name).isTextual()) {
                parameters.put(name, jwk.path(name).textValue());
            }
        }
        try {
            return Optional.of(PublicJsonWebKey.Factory.newPublicJwk(parameters).getPublicKey());
        } catch (JoseException | RuntimeException e) {
            // An issuer may publish keys that this service cannot use.
            return Optional.empty();
        }
    }

    private static boolean isStrong(PublicKey key) {
        return !(key instanceof RSAPublicKey rsa)
                || rsa.getModulus().bitLength() >= RSA_BITS_MIN
                        && rsa.getModulus().bitLength() <= RSA_BITS_MAX;
    }
}
