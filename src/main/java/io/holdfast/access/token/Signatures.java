package io.holdfast.access.token;

import java.util.List;
import java.util.Optional;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;

/** Verifies signatures of tokens. */
final class Signatures {
    private Signatures() {}

    /** The key that has signed the token. */
    static Optional<VerificationKey> signer(String token, String algorithm, List<VerificationKey> candidates) {
        return candidates.stream().filter(key -> isValid(token, algorithm, key)).findFirst();
    }

    private static boolean isValid(String token, String algorithm, VerificationKey key) {
        try {
            var signature = new JsonWebSignature();
            signature.setAlgorithmConstraints(new AlgorithmConstraints(ConstraintType.PERMIT, algorithm));
            signature.setCompactSerialization(token);
            signature.setKey(key.key());
            return signature.verifySignature();
        } catch (JoseException | RuntimeException e) {
            // The library and the JDK report some invalid signatures by an exception.
            return false;
        }
    }
}
