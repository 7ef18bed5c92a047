package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        try (var service = tls.serve(exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, NO_LOCKS.length);
            exchange.getResponseBody().write(NO_LOCKS);
        })) {
            var vouched = list(
                    service.url(""), Map.of("HOLDFAST_CA_FILE", tls.caFile().toString()));
            assertThat(vouched).isEqualTo(new Shell.Result(0, "[]\n", ""));

            var unknown = list(service.url(""), Map.of());
            assertThat(unknown.exit()).isEqualTo(Exit.UNAVAILABLE);
            assertThat(unknown.err())
                    .contains(" cannot be reached: no trusted authority has signed its certificate (HOLDFAST_CA_FILE ");
        }
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
