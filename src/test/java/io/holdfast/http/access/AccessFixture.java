package io.holdfast.http.access;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An access file with tokens for every kind of subject, and an issuer with its keys. What is made once is kept in system
 * properties: a test and its profile are loaded by different class loaders.
 */
public final class AccessFixture {
    static final String ISSUER = "https://ci.example";
    static final String AWAY = "https://away.example";

    private static final String FILE = "test.access.file";
    private static final String KEY = "test.access.key";

    private AccessFixture() {}

    /** The value of an Authorization header for a static token. */
    static String token(String name) {
        return "Bearer " + secret(name);
    }

    /** May do one action on everything. */
    static String only(Action action) {
        return token("only-" + action.word());
    }

    static String secret(String name) {
        return "secret-of-" + name;
    }

    /** Signed by the issuer of the file. */
    static String jwt(String subject, Instant expiry) {
        return jwt(ISSUER, subject, "holdfast", expiry);
    }

    static String jwt(String issuer, String subject, String audience, Instant expiry) {
        var head = base64("{\"alg\":\"RS256\",\"kid\":\"one\"}");
        var body = base64("{\"iss\":\"%s\",\"sub\":\"%s\",\"aud\":\"%s\",\"exp\":%d}"
                .formatted(issuer, subject, audience, expiry.getEpochSecond()));
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key());
            signature.update((head + "." + body).getBytes(StandardCharsets.US_ASCII));
            return "Bearer " + head + "." + body + "."
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static PrivateKey key() throws GeneralSecurityException {
        writtenFile();
        var encoded = Base64.getDecoder().decode(System.getProperty(KEY));
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }

    static synchronized Path writtenFile() {
        if (System.getProperty(FILE) == null) {
            try {
                var pair = KeyPairGenerator.getInstance("RSA");
                pair.initialize(2048);
                var keys = pair.generateKeyPair();
                System.setProperty(
                        KEY,
                        Base64.getEncoder().encodeToString(keys.getPrivate().getEncoded()));
                System.setProperty(
                        "test.access.jwks", "http://127.0.0.1:" + serve((RSAPublicKey) keys.getPublic()) + "/keys");
                System.setProperty(
                        FILE,
                        Files.createTempDirectory("access")
                                .resolve("access.yaml")
                                .toString());
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
            write(true);
        }
        return Path.of(System.getProperty(FILE));
    }

    private static int serve(RSAPublicKey key) throws IOException {
        var jwks =
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"one\",\"use\":\"sig\",\"alg\":\"RS256\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                        .formatted(number(key.getModulus()), number(key.getPublicExponent()))
                        .getBytes(StandardCharsets.US_ASCII);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/keys", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, jwks.length);
                exchange.getResponseBody().write(jwks);
            }
        });
        server.start();
        return server.getAddress().getPort();
    }

    private static String number(BigInteger value) {
        var bytes = value.toByteArray();
        var unsigned = bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(unsigned);
    }

    /** @param withLeaving whether {@code leaving} has its grants */
    static void write(boolean withLeaving) {
        var only = Stream.of(Action.values()).map(AccessFixture::grantOf).collect(Collectors.joining("\n"));
        var names = Stream.concat(
                Stream.of("admin", "nobody", "narrow", "taker", "forcer", "apps-only", "leaving", "leaver"),
                Stream.of(Action.values()).map(action -> "only-" + action.word()));
        var tokens = names.map(name -> "  - {name: %s, sha256: %s}".formatted(name, sha256(secret(name))))
                .collect(Collectors.joining("\n"));
        var text =
                """
                issuers:
                  - {name: ci, issuer: %s, jwks: %s, audience: holdfast, leeway: 0s}
                  - {name: away, issuer: %s, jwks: "http://127.0.0.1:1/keys", audience: holdfast}
                tokens:
                %s
                grants:
                  - {subjects: ["token:admin"], allow: [{admin: true}]}
                  - subjects: ["token:narrow"]
                    allow:
                      - {locks: "billing/", actions: [read, acquire]}
                      - {apps: billing, actions: [read, register, stop, start]}
                      - {databases: billing, actions: [read, register, stop, start]}
                      - {services: billing, actions: [read, deploy, report]}
                      - {clusters: billing, actions: [read, submit, work, cancel]}
                  - {subjects: ["token:taker"], allow: [{locks: "billing/", actions: [acquire]}]}
                  - {subjects: ["token:forcer"], allow: [{locks: "billing/", actions: [force]}]}
                  - {subjects: ["token:apps-only"], allow: [{apps: "", actions: [read, register, stop, start]}]}
                  - {subjects: ["ci:*"], allow: [{locks: "ci/", actions: [read, acquire]}, {services: "", actions: [read]}]}
                %s
                %s
                """
                        .formatted(
                                ISSUER,
                                System.getProperty("test.access.jwks"),
                                AWAY,
                                tokens,
                                only,
                                withLeaving
                                        ? "  - {subjects: [\"token:leaving\", \"token:leaver\"], allow: [{locks: \"leaving/\","
                                                + " actions: [acquire]}, {services: \"leaving\", actions: [read]}]}"
                                        : "");
        var file = Path.of(System.getProperty(FILE));
        try {
            var next = Files.writeString(file.resolveSibling("next.yaml"), text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String grantOf(Action action) {
        var allow = Stream.of(ResourceKind.values())
                .filter(kind -> kind.actions().contains(action))
                .map(kind -> "{%s: \"\", actions: [%s]}".formatted(kind.word(), action.word()))
                .collect(Collectors.joining(", "));
        return "  - {subjects: [\"token:only-%s\"], allow: [%s]}".formatted(action.word(), allow);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
