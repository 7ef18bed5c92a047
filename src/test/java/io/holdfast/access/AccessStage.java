package io.holdfast.access;

import io.holdfast.access.model.AuthOutcome;
import io.holdfast.access.model.Credentials;
import io.holdfast.access.token.JwksClient;
import io.holdfast.kernel.TestClock;
import io.holdfast.remote.FakeServer;
import io.holdfast.remote.FakeServer.Response;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Access control with a file, and an issuer of tokens over HTTP. */
public final class AccessStage implements AutoCloseable {
    public static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");
    public static final Duration LEEWAY = Duration.ofSeconds(30);
    public static final String KID = "key-1";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    private static final String ISSUER =
            """
            issuers:
            - {name: ci, issuer: "https://ci.example", jwks: "%s/keys", audience: holdfast}
            """;
    private static final String REST =
            """
            tokens:
            - {name: ops, sha256: %s}
            grants:
            - {subjects: ["*"], allow: [{locks: "", actions: [read]}]}
            """;

    public final TestClock clock = new TestClock(NOW);
    public final FakeServer issuer;
    public final Path file;
    public final AccessService access;
    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService workers = Executors.newFixedThreadPool(2);

    /** @param settings of access control, by key */
    public AccessStage(Path folder, Map<String, String> settings) {
        issuer = new FakeServer(request -> Response.of(200, standardKeys()));
        file = folder.resolve("access.yaml");
        write(ISSUER.formatted(issuer.url()) + standardRest());
        var limits = limits(settings);
        var keys = new JwksClient(vertx, workers, limits.jwksTimeout(), limits.jwksBodyMax());
        access = new AccessService(mode(settings, file), limits, keys, clock);
    }

    public static AccessLimits limits(Map<String, String> settings) {
        var builder = new SmallRyeConfigBuilder().addDiscoveredConverters().withMapping(AccessConfig.class);
        settings.forEach((key, value) -> builder.withDefaultValue("holdfast.access." + key, value));
        return new AccessLimits(builder.build().getConfigMapping(AccessConfig.class));
    }

    private static AccessModeConfig mode(Map<String, String> settings, Path file) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(AccessModeConfig.class)
                .withDefaultValue("holdfast.access-file", file.toString())
                .build()
                .getConfigMapping(AccessModeConfig.class);
    }

    /** The issuer's entry, and then the token {@code static-secret} of {@code token:ops}. */
    public String standardFile() {
        return ISSUER.formatted(issuer.url()) + standardRest();
    }

    private static String standardRest() {
        // Of: static-secret
        return REST.formatted(io.holdfast.access.token.Hashes.sha256("static-secret"));
    }

    public static String standardKeys() {
        return TestKeys.set(
                TestKeys.jwk(TestKeys.RSA, KID, ""),
                TestKeys.jwk(TestKeys.EC, "ec", ",\"use\":\"sig\",\"alg\":\"ES256\""),
                TestKeys.jwk(TestKeys.EC_384, "ec-384", ""),
                TestKeys.jwk(TestKeys.ED, "ed", ""),
                TestKeys.jwk(TestKeys.OTHER_RSA, "for-encryption", ",\"use\":\"enc\""),
                TestKeys.jwk(TestKeys.WEAK_RSA, "weak", ""),
                "{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ\"}");
    }

    public void write(String content) {
        try {
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public AuthOutcome bearer(String token) {
        return header("Bearer " + token);
    }

    public AuthOutcome header(String... values) {
        return authenticate(Credentials.of(List.of(values), List.of()));
    }

    public AuthOutcome authenticate(Credentials credentials) {
        return access.authenticate(credentials).await().atMost(ANSWER_MAX);
    }

    /** A valid token of the issuer. */
    public static String token() {
        return token("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + KID + "\"}", claims());
    }

    public static String token(String header, String claims) {
        return TestKeys.signed(header, claims, "RS256", TestKeys.RSA.getPrivate());
    }

    public static String claims() {
        return claims("");
    }

    /** Those of a valid token for an hour. A claim that comes again in {@code more} is replaced. */
    public static String claims(String more) {
        var base = new StringBuilder("{");
        add(base, more, "iss", "\"https://ci.example\"");
        add(base, more, "aud", "\"holdfast\"");
        add(base, more, "sub", "\"job-1\"");
        add(base, more, "exp", "" + NOW.plusSeconds(3600).getEpochSecond());
        add(base, more, "iat", "" + NOW.getEpochSecond());
        return base.append(more).append(more.isEmpty() ? "\"x\":1}" : "}").toString();
    }

    private static void add(StringBuilder claims, String more, String name, String value) {
        if (!more.contains("\"" + name + "\":")) {
            claims.append('"').append(name).append("\":").append(value).append(',');
        }
    }

    @Override
    public void close() {
        issuer.close();
        workers.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
