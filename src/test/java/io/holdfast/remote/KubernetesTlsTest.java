package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.holdfast.remote.KubernetesApi.Reply;
import io.holdfast.suite.Slow;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Token and certificates: who the API server is asked as, and when it is believed. */
@Slow
class KubernetesTlsTest {
    private static final KubernetesApi.Bounds PATIENT = new KubernetesApi.Bounds(Duration.ofSeconds(20), 4);

    @TempDir
    private static Path trustedFolder;

    @TempDir
    private static Path otherFolder;

    private static TestTls trusted;
    private static TestTls other;

    @TempDir
    private Path mounted;

    private final List<Optional<String>> authorizations = new CopyOnWriteArrayList<>();
    private final Vertx vertx = Vertx.vertx();
    private TestTls.Served server;
    private KubernetesApi api;

    @BeforeAll
    static void makeCertificates() throws Exception {
        trusted = TestTls.in(trustedFolder);
        other = TestTls.in(otherFolder);
    }

    @BeforeEach
    void serve() throws Exception {
        server = trusted.serve(this::answer);
        Files.writeString(tokenFile(), "one.two.three\n");
        Files.copy(trusted.caFile(), caFile());
        api = api(server.url(""));
    }

    @AfterEach
    void close() {
        api.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        server.close();
    }

    @Test
    void theTokenIsSentToAnApiServerThatTheCaVouchesFor() {
        assertThat(asked(api)).isInstanceOf(Reply.Done.class);
        assertThat(authorizations).containsExactly(Optional.of("Bearer one.two.three"));
    }

    @Test
    void aRenewedTokenIsTakenUp() throws IOException {
        asked(api);
        Files.writeString(tokenFile(), "four.five.six");
        asked(api);

        assertThat(authorizations)
                .containsExactly(Optional.of("Bearer one.two.three"), Optional.of("Bearer four.five.six"));
    }

    @Test
    void anApiServerThatTheCaDoesNotVouchForIsNotBelievedAndGetsNoToken() throws IOException {
        Files.writeString(caFile(), Files.readString(other.caFile()));

        assertThat(none(asked(api))).startsWith("TLS failed: ");
        assertThat(authorizations).isEmpty();
    }

    @Test
    void aRenewedCaIsTakenUp() throws IOException {
        Files.writeString(caFile(), Files.readString(other.caFile()));
        assertThat(asked(api)).isInstanceOf(Reply.None.class);
        Files.writeString(caFile(), Files.readString(other.caFile()) + Files.readString(trusted.caFile()));

        assertThat(asked(api)).isInstanceOf(Reply.Done.class);
    }

    @Test
    void aCertificateForAnotherNameIsNotBelieved() {
        var byAddress = api(URI.create(server.url("").toString().replace("localhost", "127.0.0.1")));

        assertThat(none(asked(byAddress))).startsWith("TLS failed: ");
        assertThat(authorizations).isEmpty();
        byAddress.close();
    }

    @Test
    void withoutACaFileInTheSettingsOnlyThoseTheMachineTrustsAreBelieved() {
        var machine = new KubernetesSettings(server.url(""), Optional.of(tokenFile()), Optional.empty());
        try (var trustingTheMachine = new KubernetesApi(vertx, machine, PATIENT)) {
            assertThat(none(asked(trustingTheMachine))).startsWith("TLS failed: ");
            assertThat(authorizations).isEmpty();
        }
    }

    @Test
    void withoutATokenFileInTheSettingsNoTokenIsSent() {
        var anonymous = new KubernetesSettings(server.url(""), Optional.empty(), Optional.of(caFile()));
        try (var asNobody = new KubernetesApi(vertx, anonymous, PATIENT)) {
            assertThat(asked(asNobody)).isInstanceOf(Reply.Done.class);
            assertThat(authorizations).containsExactly(Optional.empty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "one.two\nX-Header: three", "s\u00e9cret"})
    void aFileWithoutATokenIsNotShownAndNothingIsAsked(String content) throws IOException {
        Files.writeString(tokenFile(), content);

        assertThat(none(asked(api))).isEqualTo("holdfast.kubernetes.token-file holds no token");
        assertThat(authorizations).isEmpty();
    }

    @Test
    void aMissingTokenFileIsSaidByItsSetting() throws IOException {
        Files.delete(tokenFile());

        assertThat(none(asked(api))).isEqualTo("holdfast.kubernetes.token-file (" + tokenFile() + ") cannot be read");
        assertThat(authorizations).isEmpty();
    }

    @Test
    void withoutTheCaFileNobodyIsBelieved() throws IOException {
        Files.delete(caFile());

        assertThat(none(asked(api))).isEqualTo("holdfast.kubernetes.ca-file (" + caFile() + ") cannot be read");
        assertThat(authorizations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no certificate"})
    void aCaFileWithoutCertificatesMakesNobodyBelieved(String content) throws IOException {
        Files.writeString(caFile(), content);

        assertThat(none(asked(api))).isEqualTo("holdfast.kubernetes.ca-file holds no certificates");
        assertThat(authorizations).isEmpty();
    }

    @Test
    void theTokenIsNotSentInTheClear() throws IOException {
        try (var plain = TestTls.servePlain(this::answer)) {
            var overHttp = api(plain.url(""));

            assertThat(asked(overHttp)).isInstanceOf(Reply.Done.class);
            assertThat(authorizations).containsExactly(Optional.empty());
            overHttp.close();
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        authorizations.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")));
        var bytes = "{\"kind\":\"Pod\"}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private KubernetesApi api(URI url) {
        var config = new KubernetesSettings(url, Optional.of(tokenFile()), Optional.of(caFile()));
        return new KubernetesApi(vertx, config, PATIENT);
    }

    private static Reply asked(KubernetesApi api) {
        return api.get("/api/v1/namespaces/shop/pods/db-0", "Pod").await().atMost(Duration.ofSeconds(30));
    }

    private static String none(Reply reply) {
        assertThat(reply).isInstanceOf(Reply.None.class);
        return ((Reply.None) reply).reason();
    }

    private Path tokenFile() {
        return mounted.resolve("token");
    }

    private Path caFile() {
        return mounted.resolve("ca.crt");
    }
}
