package io.holdfast.access;

import static io.holdfast.access.AccessStage.KID;
import static io.holdfast.access.AccessStage.LEEWAY;
import static io.holdfast.access.AccessStage.NOW;
import static io.holdfast.access.AccessStage.claims;
import static io.holdfast.access.AccessStage.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.access.model.AuthOutcome;
import io.holdfast.access.model.AuthOutcome.Authenticated;
import io.holdfast.access.model.AuthOutcome.Missing;
import io.holdfast.access.model.AuthOutcome.Refused;
import io.holdfast.access.model.AuthOutcome.Unavailable;
import io.holdfast.access.model.Caller;
import io.holdfast.access.model.Credentials;
import io.holdfast.access.model.Permission;
import io.holdfast.kernel.CannotStartException;
import io.holdfast.remote.FakeServer.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An access file that changes, and an issuer whose keys change or cannot be fetched. */
class AccessServiceTest {
    private static final String HEADER = "{\"alg\":\"RS256\",\"kid\":\"" + KID + "\"}";
    private static final Permission READ = Permission.parse("read", "locks:a");

    @TempDir
    private Path folder;

    private AccessStage stage;

    @BeforeEach
    void start() {
        stage = new AccessStage(folder, Map.of("jwks-timeout", "60s"));
    }

    @AfterEach
    void stop() {
        stage.close();
    }

    private Caller caller(AuthOutcome outcome) {
        assertThat(outcome).isInstanceOf(Authenticated.class);
        return ((Authenticated) outcome).caller();
    }

    private void lookTwice() {
        stage.access.refresh();
        stage.access.refresh();
    }

    @Test
    void aCallerHasTheSubjectOfItsCredentials() {
        stage.access.load();
        var basic = Base64.getEncoder().encodeToString("any:static-secret".getBytes(StandardCharsets.UTF_8));

        var jwt = caller(stage.bearer(token()));
        assertThat(jwt.subject()).hasToString("ci:job-1");
        assertThat(jwt.issuer()).isEqualTo("ci");
        assertThat(jwt.expiresAt()).contains(NOW.plusSeconds(3600).plus(LEEWAY));
        assertThat(caller(stage.bearer("static-secret")).subject()).hasToString("token:ops");
        assertThat(caller(stage.header("Basic " + basic)).subject()).hasToString("token:ops");
        assertThat(caller(stage.authenticate(new Credentials.Certificate(List.of("db.example", "x"))))
                        .subject())
                .hasToString("cert:db.example");
        assertThat(stage.header()).isEqualTo(new Missing());
    }

    @Test
    void noTextOfACallerOrCredentialContainsTheSecret() {
        stage.access.load();

        assertThat(caller(stage.bearer("static-secret")).toString())
                .doesNotContain("static-secret")
                .doesNotContain(io.holdfast.access.token.Hashes.sha256("static-secret"));
        assertThat(Credentials.of(List.of("Bearer static-secret"), List.of()).toString())
                .doesNotContain("static-secret");
    }

    @Test
    void aTokenCountsToTheLastMillisecondOfItsLeeway() {
        stage.access.load();
        var token = token();
        var caller = caller(stage.bearer(token));
        stage.clock.advance(Duration.ofSeconds(3600).plus(LEEWAY).minusMillis(1));
        stage.bearer(token);

        assertThat(stage.bearer(token)).isInstanceOf(Authenticated.class);
        assertThat(stage.access.ended(caller)).isEmpty();
        stage.clock.advance(Duration.ofMillis(1));
        assertThat(stage.bearer(token)).isEqualTo(new Refused("The token has expired."));
        assertThat(stage.access.ended(caller)).contains(new Refused("The token has expired."));
    }

    @Test
    void aTokenCountsFromTheFirstMillisecondOfItsLeeway() {
        stage.access.load();
        var token = token(HEADER, claims("\"nbf\":" + NOW.plus(LEEWAY).getEpochSecond()));
        stage.clock.advance(Duration.ofMillis(-1));

        assertThat(stage.bearer(token)).isInstanceOf(Refused.class);
        stage.clock.advance(Duration.ofMillis(1));
        assertThat(stage.bearer(token)).isInstanceOf(Authenticated.class);
    }

    @Test
    void keysAreFetchedOnceForManyTokens() {
        stage.access.load();
        for (var i = 0; i < 20; i++) {
            caller(stage.bearer(token(HEADER, claims("\"sub\":\"job-" + i + "\""))));
        }

        assertThat(stage.issuer.requests()).hasSize(1);
    }

    @Test
    void aNewKeyIsFetchedWhenATokenNamesItButOnlyOncePerPause() {
        stage.access.load();
        caller(stage.bearer(token()));
        stage.issuer.answers(request -> Response.of(200, TestKeys.set(TestKeys.jwk(TestKeys.OTHER_RSA, "key-2", ""))));
        var second = TestKeys.signed(
                "{\"alg\":\"RS256\",\"kid\":\"key-2\"}", claims(), "RS256", TestKeys.OTHER_RSA.getPrivate());

        assertThat(stage.bearer(second)).isInstanceOf(Refused.class);
        assertThat(stage.issuer.requests()).hasSize(1);
        stage.clock.advance(Duration.ofSeconds(5));
        assertThat(stage.bearer(second)).isInstanceOf(Authenticated.class);
        assertThat(stage.issuer.requests()).hasSize(2);
    }

    @Test
    void aVerifiedTokenIsForgottenWhenItsIssuerRemovesTheKey() {
        stage.access.load();
        var caller = caller(stage.bearer(token()));
        stage.issuer.answers(request -> Response.of(200, TestKeys.set()));
        stage.clock.advance(Duration.ofMinutes(5));
        stage.access.refresh();
        // Waits for the fetch: a token with an unknown key shares it.
        stage.bearer(token("{\"alg\":\"RS256\",\"kid\":\"x\"}", claims()));

        assertThat(stage.bearer(token())).isInstanceOf(Refused.class);
        assertThat(stage.access.ended(caller)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"500", "302", "garbage", "no keys", "huge", "too many", "cut", "twice"})
    void anIssuerWithoutUsableKeysMakesItsTokensUnavailableAndNoOthers(String trouble) {
        stage.issuer.answers(request -> trouble(trouble));
        stage.access.load();

        assertThat(stage.bearer(token())).isEqualTo(new Unavailable("ci"));
        assertThat(stage.bearer("static-secret")).isInstanceOf(Authenticated.class);
        assertThat(stage.issuer.requests()).hasSize(1);
        assertThat(stage.access.status().issuers().getFirst().problem()).isPresent();

        stage.issuer.answers(request -> Response.of(200, AccessStage.standardKeys()));
        stage.clock.advance(Duration.ofSeconds(5));
        assertThat(stage.bearer(token())).isInstanceOf(Authenticated.class);
    }

    private Response trouble(String kind) {
        var good = AccessStage.standardKeys();
        return switch (kind) {
            case "500" -> Response.of(500, good);
            case "302" -> new Response(302, Map.of("Location", stage.issuer.url() + "/other"), good);
            case "garbage" -> Response.of(200, "<html>");
            case "no keys" -> Response.of(200, "{}");
            case "huge" -> Response.of(200, good + " ".repeat(300_000));
            case "too many" -> Response.of(200, TestKeys.set("{},".repeat(100) + "{}"));
            case "twice" -> Response.of(200, "{\"keys\":[]," + good.substring(1));
            default -> Response.cut();
        };
    }

    @Test
    void anIssuerThatDoesNotAnswerMakesItsTokensUnavailableAfterTheTimeout(@TempDir Path other) {
        try (var impatient = new AccessStage(other, Map.of("jwks-timeout", "100ms"))) {
            impatient.issuer.answers(request -> Response.silence());
            impatient.access.load();

            assertThat(impatient.bearer(token())).isEqualTo(new Unavailable("ci"));
            assertThat(impatient.bearer("static-secret")).isInstanceOf(Authenticated.class);
        }
    }

    @Test
    void whileTheIssuerIsDownItsOldKeysCountForALimitedTime() {
        stage.access.load();
        caller(stage.bearer(token()));
        stage.issuer.answers(request -> Response.of(500, ""));
        var late = NOW.plus(Duration.ofDays(2)).getEpochSecond();
        var lasting = token(HEADER, claims("\"exp\":" + late));
        stage.clock.advance(Duration.ofHours(6).minusMillis(1));

        assertThat(stage.bearer(lasting)).isInstanceOf(Authenticated.class);
        assertThat(stage.bearer(lasting)).isInstanceOf(Authenticated.class);
        stage.clock.advance(Duration.ofMillis(1));
        assertThat(stage.bearer(lasting)).isEqualTo(new Unavailable("ci"));
    }

    @Test
    void aChangedFileIsInForceAfterTwoEqualReads() throws IOException {
        stage.access.load();
        var ops = caller(stage.bearer("static-secret"));
        var reloads = new AtomicInteger();
        stage.access.onReload(reloads::incrementAndGet);
        var next = folder.resolve("next");
        Files.writeString(next, stage.standardFile().replace("locks: \"\"", "locks: \"b\""));
        Files.move(next, stage.file, StandardCopyOption.REPLACE_EXISTING);

        stage.access.refresh();
        assertThat(stage.access.decide(ops, READ).isAllowed()).isTrue();
        stage.access.refresh();
        assertThat(stage.access.decide(ops, READ).isAllowed()).isFalse();
        assertThat(reloads).hasValue(1);
        assertThat(stage.access.ended(ops)).isEmpty();
    }

    @Test
    void aSymbolicLinkThatPointsElsewhereIsAChange() throws IOException {
        var versions = List.of(folder.resolve("v1"), folder.resolve("v2"));
        Files.writeString(versions.get(0), stage.standardFile());
        Files.writeString(versions.get(1), stage.standardFile().replace("name: ops", "name: other"));
        Files.delete(stage.file);
        Files.createSymbolicLink(stage.file, versions.get(0));
        stage.access.load();
        var ops = caller(stage.bearer("static-secret"));
        Files.createSymbolicLink(folder.resolve("link"), versions.get(1));
        Files.move(folder.resolve("link"), stage.file, StandardCopyOption.REPLACE_EXISTING);

        lookTwice();

        assertThat(caller(stage.bearer("static-secret")).subject()).hasToString("token:other");
        assertThat(stage.access.ended(ops)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "grants: [", "grants: []", "GONE", "FOLDER", "HUGE"})
    void aBrokenFileLeavesTheOldOneInForceAndIsReported(String content) throws IOException {
        stage.access.load();
        var ops = caller(stage.bearer("static-secret"));
        Files.delete(stage.file);
        switch (content) {
            case "GONE" -> {}
            case "FOLDER" -> Files.createDirectory(stage.file);
            case "HUGE" -> stage.write(stage.standardFile() + "#".repeat(1_100_000));
            default -> stage.write(content);
        }

        lookTwice();

        assertThat(stage.access.decide(ops, READ).isAllowed()).isTrue();
        assertThat(stage.bearer("static-secret")).isInstanceOf(Authenticated.class);
        assertThat(stage.access.status().fileProblem().orElseThrow().sentence())
                .contains(stage.file.toString(), "stays in force");
        Files.deleteIfExists(stage.file);
        stage.write(stage.standardFile());
        lookTwice();
        assertThat(stage.access.status().fileProblem()).isEmpty();
    }

    @Test
    void aBrokenOrMissingFileStopsTheStartInOneSentence() throws IOException {
        stage.write("grants: []");
        assertThatThrownBy(stage.access::load)
                .isInstanceOf(CannotStartException.class)
                .hasMessageContaining("line 1: grants: is an empty list");
        Files.delete(stage.file);
        assertThatThrownBy(stage.access::load)
                .isInstanceOf(CannotStartException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void anIssuerThatIsUnchangedKeepsItsKeysWhenTheFileChanges() {
        stage.access.load();
        caller(stage.bearer(token()));
        stage.write(stage.standardFile() + "# changed\n");
        lookTwice();

        caller(stage.bearer(token()));
        assertThat(stage.issuer.requests()).hasSize(1);
    }
}
