package io.holdfast.cli.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.Jwts;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real commands. Each run appends a line to a file. */
class TokenCommandTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void theCommandRunsOnceForManyRequests() throws IOException {
        var source = command("echo token-$(wc -l < runs)");

        assertThat(header(source)).isEqualTo("Bearer token-1");
        assertThat(header(source)).isEqualTo("Bearer token-1");
        assertThat(runs()).isEqualTo(1);
    }

    /** Otherwise a service that refuses every token would make it run without a pause. */
    @Test
    void aRefusalRunsItAgainButNotMoreOftenThanOnceASecond() {
        var source = command("echo token-$(wc -l < runs)");
        var first = source.current().orElseThrow();

        assertThat(source.renewed(first)).isEqualTo(new TokenSource.Renewal.Unchanged());
        await().until(() -> source.renewed(first) instanceof TokenSource.Renewal.Replaced);

        assertThat(header(source)).isEqualTo("Bearer token-2");
    }

    @Test
    void aRefusalOfAnOldTokenGivesTheCurrentOne() throws IOException {
        var source = command("echo token");
        var current = source.current().orElseThrow();

        assertThat(source.renewed(Token.parse("old").orElseThrow()))
                .isEqualTo(new TokenSource.Renewal.Replaced(current));
        assertThat(runs()).isEqualTo(1);
    }

    /** A life of four seconds: it is renewed a fifth of that before its end, and so without a refusal. */
    @Test
    void aJwtIsRenewedShortlyBeforeItExpires() throws IOException {
        Files.writeString(folder.resolve("jwt"), Jwts.expiringAt(NOON.plusSeconds(4)));
        var source = command("cat jwt");
        var begun = System.nanoTime();
        source.current();

        await().until(() -> {
            source.current();
            return runs() > 1;
        });

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(3200));
    }

    /** The local clock is wrong, or the service will refuse it. Only the service can tell. */
    @Test
    void aNewJwtThatHasExpiredByTheLocalClockIsUsedUntilItIsRefused() throws IOException {
        Files.writeString(folder.resolve("jwt"), Jwts.expiringAt(NOON.minusSeconds(3600)));
        var source = command("cat jwt");

        source.current();
        source.current();

        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void aFailureShowsTheEndOfStderrWithoutAToken() {
        var jwt = Jwts.of("{}");

        assertUnusable(
                "echo got %s; echo 'login first' >&2; echo 'not %s.' >&2; exit 3".formatted(jwt, jwt),
                "HOLDFAST_TOKEN_COMMAND failed with exit code 3: login first not [token].");
        assertUnusable(
                "echo secret; echo secret >&2; exit 1", "HOLDFAST_TOKEN_COMMAND failed with exit code 1: [token].");
        assertUnusable("exit 2", "HOLDFAST_TOKEN_COMMAND failed with exit code 2.");
        assertUnusable("echo; echo hm >&2", "HOLDFAST_TOKEN_COMMAND wrote no token to stdout: hm.");
        assertUnusable(
                "echo two words",
                "HOLDFAST_TOKEN_COMMAND must write one token of at most 8192 visible ASCII characters,"
                        + " without spaces to stdout.");
    }

    @Test
    void aCommandThatHangsIsKilledWithItsDescendants() throws IOException {
        var source = new TokenCommand(
                "cd '%s'; sleep 987654 & echo $! > pid; wait".formatted(folder),
                Duration.ofSeconds(2),
                InstantSource.fixed(NOON));

        assertThatThrownBy(source::current)
                .hasMessage("HOLDFAST_TOKEN_COMMAND did not end within 2.0s (HOLDFAST_TOKEN_COMMAND_TIMEOUT).");

        var sleeping = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        await().until(() ->
                ProcessHandle.of(sleeping).filter(ProcessHandle::isAlive).isEmpty());
    }

    /** More than a pipe holds. */
    @Test
    void aCommandThatWritesMuchDoesNotHang() {
        assertUnusable("head -c 300000 /dev/zero | tr '\\0' x", " must write one token ");
    }

    /** It would wait for the terminal, or take the input of the command that needs the token. */
    @Test
    void theCommandHasNoInputAndDoesNotCallItself() {
        assertThat(header(command("cat; echo token${HOLDFAST_TOKEN_COMMAND-unset}")))
                .isEqualTo("Bearer token");
    }

    @Test
    void aFailedRenewalLeavesTheLastTokenInUse() {
        var source = command("test $(wc -l < runs) -eq 1 && echo token");
        var first = source.current().orElseThrow();

        await().until(() -> source.renewed(first) instanceof TokenSource.Renewal.Failed);

        assertThat(header(source)).isEqualTo("Bearer token");
        assertThat(source.renewed(first))
                .isEqualTo(new TokenSource.Renewal.Failed("HOLDFAST_TOKEN_COMMAND failed with exit code 1."));
    }

    @Test
    void requestsAtTheSameTimeShareOneRun() throws IOException {
        var source = command("sleep 0.2; echo token");

        var all = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> header(source), task -> Thread.ofPlatform().start(task)))
                .toList();

        assertThat(all).allSatisfy(one -> assertThat(one.join()).isEqualTo("Bearer token"));
        assertThat(runs()).isEqualTo(1);
    }

    private TokenCommand command(String script) {
        return new TokenCommand(
                "cd '%s'; echo run >> runs; %s".formatted(folder, script), LONG, InstantSource.fixed(NOON));
    }

    private void assertUnusable(String script, String words) {
        assertThatThrownBy(() -> command(script).current())
                .isInstanceOfSatisfying(CliException.class, failure -> assertThat(failure.exit())
                        .isEqualTo(Exit.UNAUTHENTICATED))
                .hasMessageContaining(words);
    }

    private static String header(TokenSource source) {
        return source.current().orElseThrow().header();
    }

    private int runs() throws IOException {
        return Files.readAllLines(folder.resolve("runs")).size();
    }
}
