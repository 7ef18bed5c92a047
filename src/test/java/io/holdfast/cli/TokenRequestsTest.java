package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which token a request carries, and what a command says when it is refused. */
class TokenRequestsTest {
    private static final String SECRET = "s3cr3t-t0k3n";
    private static final String NEEDED = "holdfast: This request needs a valid token. ";

    @TempDir
    Path folder;

    private GuardedServer service;

    @BeforeEach
    void serve() throws IOException {
        service = GuardedServer.withLocks(SECRET);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void theTokenComesFromAVariableAFileOrACommand() throws IOException {
        var file = Files.writeString(folder.resolve("token"), SECRET + "\n");

        for (var variables : List.of(
                Map.of("HOLDFAST_TOKEN", " " + SECRET + "\n"),
                Map.of("HOLDFAST_TOKEN_FILE", file.toString()),
                Map.of("HOLDFAST_TOKEN_COMMAND", "cat '" + file + "'"))) {
            assertThat(list(variables)).isEqualTo(new Shell.Result(0, "[]\n", ""));
        }
        assertThat(service.authorizations()).hasSize(3).containsOnly("Bearer " + SECRET);
    }

    @Test
    void withoutATokenNoneIsSentAndTheAnswerSaysWhatToSet() {
        assertThat(list(Map.of("HOLDFAST_TOKEN", "")))
                .isEqualTo(new Shell.Result(
                        Exit.UNAUTHENTICATED,
                        "",
                        NEEDED + "Set HOLDFAST_TOKEN, HOLDFAST_TOKEN_FILE or HOLDFAST_TOKEN_COMMAND.\n"));
        assertThat(service.authorizations()).containsExactly("");
    }

    @Test
    void onlyOneSourceMayBeSet() {
        assertThat(list(Map.of("HOLDFAST_TOKEN", SECRET, "HOLDFAST_TOKEN_COMMAND", "echo x")))
                .isEqualTo(new Shell.Result(
                        Exit.USAGE, "", "holdfast: Set only one of HOLDFAST_TOKEN and HOLDFAST_TOKEN_COMMAND.\n"));
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aTokenThatIsNoneIsAWrongUsageAndIsNotShown() {
        var result = list(Map.of("HOLDFAST_TOKEN", "Bearer " + SECRET));

        assertThat(CliCalls.refused(Exit.USAGE, result)).startsWith("holdfast: HOLDFAST_TOKEN must be one token ");
        assertThat(result.err()).doesNotContain(SECRET);
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void aRefusedTokenIsNamedByItsSourceAndWhenItExpired() throws IOException {
        var expired = Jwts.expiringAt(Instant.parse("2001-02-03T04:05:06Z"));
        var file = Files.writeString(folder.resolve("token"), expired);

        var result = list(Map.of("HOLDFAST_TOKEN_FILE", file.toString()));

        assertThat(result)
                .isEqualTo(new Shell.Result(
                        Exit.UNAUTHENTICATED,
                        "",
                        NEEDED
                                + "The token is that of HOLDFAST_TOKEN_FILE (%s); it expired at 2001-02-03T04:05:06Z.\n"
                                        .formatted(file)));
        // The file has not changed, so a second request would be refused, too.
        assertThat(service.asked()).hasSize(1);
    }

    /** The token expires between reading the file and the answer. */
    @Test
    void aTokenThatIsReplacedDuringARequestIsSentAtOnce() throws IOException {
        var file = Files.writeString(folder.resolve("token"), "old");
        service.close();
        service = new GuardedServer("old").on("/v1/locks", exchange -> {
            var isOld = Files.readString(file).equals("old");
            Files.writeString(file, SECRET);
            service.accept(SECRET);
            GuardedServer.json(
                    exchange,
                    isOld ? 401 : 200,
                    isOld ? "{\"code\":\"unauthenticated\",\"detail\":\"Expired.\"}" : "{\"locks\":[]}");
        });

        assertThat(list(Map.of("HOLDFAST_TOKEN_FILE", file.toString()))).isEqualTo(new Shell.Result(0, "[]\n", ""));
        assertThat(service.authorizations()).containsExactly("Bearer old", "Bearer " + SECRET);
    }

    @Test
    void aCommandWhoseTokenIsRefusedIsAskedOnlyOnceByAShortCommand() throws IOException {
        var runs = folder.resolve("runs");

        var result = list(Map.of("HOLDFAST_TOKEN_COMMAND", "echo run >> '%s'; echo wrong".formatted(runs)));

        assertThat(CliCalls.refused(Exit.UNAUTHENTICATED, result))
                .isEqualTo(NEEDED + "The token is that of HOLDFAST_TOKEN_COMMAND.\n");
        assertThat(Files.readAllLines(runs)).hasSize(1);
    }

    @Test
    void aForbiddenRequestNamesTheMissingGrantAndHasAnExitCodeOfItsOwn() throws IOException {
        service.close();
        service = new GuardedServer(SECRET)
                .on(
                        "/v1/locks",
                        exchange -> GuardedServer.json(
                                exchange,
                                403,
                                "{\"code\":\"forbidden\",\"detail\":\"token:ci may not read locks.\","
                                        + "\"missing\":\"read on locks/\"}"));

        assertThat(list(Map.of("HOLDFAST_TOKEN", SECRET)))
                .isEqualTo(new Shell.Result(
                        Exit.FORBIDDEN,
                        "",
                        "holdfast: token:ci may not read locks. Missing grant: read on locks/."
                                + " 'holdfast auth whoami' shows what is granted.\n"));
    }

    @Test
    void aTokenIsNotSentAlongARedirect() throws IOException {
        try (var other = GuardedServer.withLocks(SECRET)) {
            service.close();
            service = new GuardedServer(SECRET).on("/v1/locks", exchange -> {
                exchange.getResponseHeaders().set("Location", other.url() + "/v1/locks");
                exchange.sendResponseHeaders(307, -1);
                exchange.close();
            });

            assertThat(list(Map.of("HOLDFAST_TOKEN", SECRET)).exit()).isEqualTo(Exit.UNAVAILABLE);
            assertThat(service.asked()).hasSize(1);
            assertThat(other.asked()).isEmpty();
        }
    }

    /** As the answer of a proxy does that is set to help with debugging. */
    @Test
    void aTokenThatTheAnswerRepeatsIsNotShown() throws IOException {
        service.close();
        service = new GuardedServer(SECRET)
                .on(
                        "/v1/locks",
                        exchange -> GuardedServer.json(
                                exchange,
                                400,
                                "{\"code\":\"invalid-input\",\"detail\":\"Authorization was Bearer %s.\"}"
                                        .formatted(SECRET)));

        assertThat(list(Map.of("HOLDFAST_TOKEN", SECRET)).err())
                .isEqualTo("holdfast: Authorization was Bearer [token].\n");
    }

    @Test
    void aTokenAsAnArgumentIsNotRepeated() {
        var result = run(Map.of(), "locks", "list", "--token=" + SECRET);

        assertThat(CliCalls.refused(Exit.USAGE, result))
                .contains("There is no option '--token'")
                .doesNotContain(SECRET);
    }

    /** The addresses are those for documentation, which no machine has. The request times out. */
    @ParameterizedTest
    @ValueSource(strings = {"http://192.0.2.1:1", "http://holdfast.invalid", "http://127.0.0.1.nip.invalid"})
    void aTokenThatLeavesTheMachineInTheClearIsAWarningThatCanBeSilenced(String server) {
        var clear = Map.of("HOLDFAST_URL", server, "HOLDFAST_TOKEN", SECRET, "HOLDFAST_TIMEOUT", "100ms");
        var silent = new HashMap<>(clear);
        silent.put("HOLDFAST_TOKEN_IN_CLEAR", "true");

        assertThat(run(clear, "locks", "list").err())
                .startsWith("holdfast: The token is sent over http:// without encryption: use https://,"
                        + " or set HOLDFAST_TOKEN_IN_CLEAR=true.\n")
                .doesNotContain(SECRET);
        assertThat(run(silent, "locks", "list").err()).doesNotContain("encryption");
        assertThat(run(Map.of("HOLDFAST_URL", server, "HOLDFAST_TIMEOUT", "100ms"), "locks", "list")
                        .err())
                .doesNotContain("encryption");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:1",
                "http://127.9.8.7:1",
                "http://LOCALHOST:1",
                "http://[::1]:1",
                "http://a.localhost:1",
                "https://192.0.2.1:1"
            })
    void onThisMachineAndOverTlsThereIsNoWarning(String server) {
        assertThat(run(
                                Map.of("HOLDFAST_URL", server, "HOLDFAST_TOKEN", SECRET, "HOLDFAST_TIMEOUT", "100ms"),
                                "locks",
                                "list")
                        .err())
                .isNotEmpty()
                .doesNotContain("encryption");
    }

    @Test
    void aSwitchForClearTextIsTrueOrFalse() {
        assertThat(run(
                        Map.of(
                                "HOLDFAST_URL",
                                "http://192.0.2.1",
                                "HOLDFAST_TOKEN",
                                SECRET,
                                "HOLDFAST_TOKEN_IN_CLEAR",
                                "yes"),
                        "locks",
                        "list"))
                .isEqualTo(
                        new Shell.Result(Exit.USAGE, "", "holdfast: HOLDFAST_TOKEN_IN_CLEAR must be true or false.\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "0s", "-1s"})
    void aTimeLimitOfTheCommandIsADuration(String text) {
        var result = list(Map.of("HOLDFAST_TOKEN_COMMAND", "echo x", "HOLDFAST_TOKEN_COMMAND_TIMEOUT", text));

        assertThat(CliCalls.refused(Exit.USAGE, result)).startsWith("holdfast: HOLDFAST_TOKEN_COMMAND_TIMEOUT: ");
    }

    private Shell.Result list(Map<String, String> variables) {
        var all = new HashMap<>(Map.of("HOLDFAST_URL", service.url()));
        all.putAll(variables);
        return run(all, "locks", "list", "-o", "json");
    }

    private Shell.Result run(Map<String, String> variables, String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE, Clock.systemUTC(), timeout -> null)
                .run(variables, "", words);
    }
}
