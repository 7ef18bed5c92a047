package io.holdfast.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;

/** Keys of an issuer, and tokens that are signed with them, valid and not. */
public final class TestKeys {
    public static final KeyPair RSA = pair("RSA", 2048);
    public static final KeyPair OTHER_RSA = pair("RSA", 2048);
    public static final KeyPair WEAK_RSA = pair("RSA", 1024);
    public static final KeyPair EC = curve("secp256r1");
    public static final KeyPair EC_384 = curve("secp384r1");
    public static final KeyPair ED = pair("Ed25519", 0);

    private TestKeys() {}

    private static KeyPair pair(String algorithm, int bits) {
        try {
            var generator = KeyPairGenerator.getInstance(algorithm);
            if (bits > 0) {
                generator.initialize(bits);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair curve(String name) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(name));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param more fields after the numbers, such as {@code ,"use":"sig"} */
    public static String jwk(KeyPair pair, String kid, String more) {
        try {
            var key = PublicJsonWebKey.Factory.newPublicJwk(pair.getPublic());
            key.setKeyId(kid);
            var json = key.toJson(OutputControlLevel.PUBLIC_ONLY);
            return json.substring(0, json.length() - 1) + more + "}";
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String set(String... jwks) {
        return "{\"keys\":[" + String.join(",", jwks) + "]}";
    }

    public static String encoded(String text) {
        return encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public static String signed(String header, String claims, String algorithm, PrivateKey key) {
        var content = encoded(header) + "." + encoded(claims);
        return content + "." + encoded(signature(content, algorithm, key));
    }

    public static byte[] signature(String content, String algorithm, PrivateKey key) {
        try {
            var signature =
                    switch (algorithm) {
                        case "RS256" -> Signature.getInstance("SHA256withRSA");
                        case "RS512" -> Signature.getInstance("SHA512withRSA");
                        case "PS256" -> pss();
                        case "ES256" -> Signature.getInstance("SHA256withECDSAinP1363Format");
                        case "ES384" -> Signature.getInstance("SHA384withECDSAinP1363Format");
                        default -> Signature.getInstance("Ed25519");
                    };
            signature.initSign(key);
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Signature pss() throws GeneralSecurityException {
        var signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        return signature;
    }
}
