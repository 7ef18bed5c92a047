package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import io.holdfast.remote.TestTls;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that has to be believed before it is asked anything. */
@Slow
class TrustTest {
    private static final byte[] NO_LOCKS = "{\"locks\":[],\"next_cursor\":null}".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    private static Shell.Result list(URI server, Map<String, String> variables) {
        var environment = new HashMap<>(Map.of("HOLDFAST_URL", server.toString()));
        environment.putAll(variables);
        return new ShellInProcess(CliEnvironment.Terminals.NONE).run(environment, "", "locks", "list", "-o", "json");
    }

    @Test
    void onlyWhomSomebodyVouchesForIsAsked() throws Exception {
        var tls = TestTls.in(folder);
        try (var service = tls.serve(TrustTest::answerNoLocks)) {
            var vouched = list(
                    service.url(""), Map.of("HOLDFAST_CA_FILE", tls.caFile().toString()));
            assertThat(vouched).isEqualTo(new Shell.Result(0, "[]\n", ""));

            var unknown = list(service.url(""), Map.of());
            assertThat(unknown.exit()).isEqualTo(Exit.UNAVAILABLE);
            assertThat(unknown.err())
                    .contains(" cannot be reached: no trusted authority has signed its certificate (HOLDFAST_CA_FILE ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void aServiceThatAsksForACertificateGetsThatOfTheClient(String algorithm) throws Exception {
        var server = TestTls.in(Files.createDirectory(folder.resolve("server")));
        var client = TestTls.in(Files.createDirectory(folder.resolve("client")), algorithm);
        var stranger = TestTls.in(Files.createDirectory(folder.resolve("stranger")));
        try (var service = server.serveKnown(client, TrustTest::answerNoLocks)) {
            var ca = server.caFile().toString();

            assertThat(list(service.url(""), shown(ca, client))).isEqualTo(new Shell.Result(0, "[]\n", ""));
            for (var refused : List.of(
                    list(service.url(""), Map.of("HOLDFAST_CA_FILE", ca)),
                    list(service.url(""), shown(ca, stranger)))) {
                assertThat(refused.exit()).isEqualTo(Exit.UNAVAILABLE);
                // With TLS 1.3 the refusal comes after the handshake, and the end of the connection may overtake it.
                assertThat(refused.err())
                        .containsAnyOf(
                                "it does not accept the client certificate, or there is none"
                                        + " (HOLDFAST_CLIENT_CERT_FILE, HOLDFAST_CLIENT_KEY_FILE): ",
                                " closed the connection.");
            }
        }
    }

    private static Map<String, String> shown(String ca, TestTls client) throws Exception {
        return Map.of(
                "HOLDFAST_CA_FILE",
                ca,
                "HOLDFAST_CLIENT_CERT_FILE",
                client.certificateFile().toString(),
                "HOLDFAST_CLIENT_KEY_FILE",
                client.keyFile().toString());
    }

    @Test
    void aClientCertificateOfNoUseIsAWrongUsage() throws Exception {
        var tls = TestTls.in(folder);
        var server = URI.create("https://localhost:1");
        var certificate = tls.certificateFile().toString();

        assertThat(list(server, Map.of("HOLDFAST_CLIENT_CERT_FILE", certificate)))
                .isEqualTo(new Shell.Result(
                        Exit.USAGE,
                        "",
                        "holdfast: Set both HOLDFAST_CLIENT_CERT_FILE and HOLDFAST_CLIENT_KEY_FILE, or neither.\n"));
        // The other way round: no file holds what its setting says.
        assertThat(list(
                                server,
                                Map.of(
                                        "HOLDFAST_CLIENT_CERT_FILE",
                                        tls.keyFile().toString(),
                                        "HOLDFAST_CLIENT_KEY_FILE",
                                        certificate))
                        .err())
                .isEqualTo("holdfast: HOLDFAST_CLIENT_CERT_FILE holds no certificate.\n");
        assertThat(list(
                                server,
                                Map.of(
                                        "HOLDFAST_CLIENT_CERT_FILE",
                                        certificate,
                                        "HOLDFAST_CLIENT_KEY_FILE",
                                        certificate))
                        .err())
                .startsWith("holdfast: HOLDFAST_CLIENT_KEY_FILE must hold an unencrypted PKCS#8 key ");
    }

    /** The certificate is for localhost. */
    @Test
    void aCertificateForAnotherHostIsNotAccepted() throws Exception {
        var tls = TestTls.in(folder);
        try (var service = tls.serve(TrustTest::answerNoLocks)) {
            var result = list(
                    URI.create("https://127.0.0.1:" + service.url("").getPort()),
                    Map.of("HOLDFAST_CA_FILE", tls.caFile().toString(), "HOLDFAST_TOKEN", "s3cr3t"));

            assertThat(result.exit()).isEqualTo(Exit.UNAVAILABLE);
            assertThat(result.err())
                    .contains(" cannot be reached: its certificate is not valid: ")
                    .contains("Is --server or HOLDFAST_URL right?");
        }
    }

    private static void answerNoLocks(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, NO_LOCKS.length);
        exchange.getResponseBody().write(NO_LOCKS);
    }

    @Test
    void whoSpeaksInTheClearIsNotTakenForSecure() throws Exception {
        try (var plain = new ServerSocket(0)) {
            Thread.ofVirtual().start(() -> answerInTheClear(plain));

            var result = list(URI.create("https://localhost:" + plain.getLocalPort()), Map.of());

            assertThat(result.exit()).isEqualTo(Exit.UNAVAILABLE);
            assertThat(result.err()).contains(" cannot be reached: no TLS connection: ");
        }
    }

    private static void answerInTheClear(ServerSocket plain) {
        try (var caller = plain.accept()) {
            caller.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            caller.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFileOfNoUseIsSaidBeforeAnythingIsAsked() throws Exception {
        var empty = Files.createFile(folder.resolve("empty"));
        var server = URI.create("https://localhost:1");

        assertThat(list(server, Map.of("HOLDFAST_CA_FILE", empty.toString())))
                .isEqualTo(new Shell.Result(Exit.USAGE, "", "holdfast: HOLDFAST_CA_FILE holds no certificates.\n"));
        assertThat(list(
                                server,
                                Map.of(
                                        "HOLDFAST_CA_FILE",
                                        folder.resolve("gone").toString()))
                        .err())
                .endsWith("/gone) cannot be read.\n");
    }
}
