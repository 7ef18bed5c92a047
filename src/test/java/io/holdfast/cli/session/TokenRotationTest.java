package io.holdfast.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.holdfast.cli.Cli;
import io.holdfast.cli.GuardedServer;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import io.holdfast.suite.Slow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A token expires while a command holds a lock. The command of {@code exec} is a real process. */
@Slow
class TokenRotationTest {
    private static final Pattern LOCK_ID = Pattern.compile("\"lock_id\":\"([^\"]+)\"");
    private static final long OPENED_MAX_SECONDS = 60;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final BlockingQueue<Hold> opened = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private GuardedServer service;
    private Path tokenFile;
    private volatile long ttlMillis = 60_000;
    private volatile String lockId;

    /** A connection that holds the lock. */
    private final class Hold {
        private final HttpExchange exchange;

        Hold(HttpExchange exchange) {
            this.exchange = exchange;
        }

        boolean acquired() {
            return send("acquired", lock());
        }

        /** The service has just renewed the lease: otherwise its clock would be suspect at half of the lease. */
        boolean tick() {
            return send(
                    "tick",
                    "{\"remaining_ms\":%d,\"expires_at\":\"%s\",\"renewals\":0,\"fencing_token\":1}"
                            .formatted(ttlMillis, Instant.now().plusMillis(ttlMillis)));
        }

        private boolean send(String event, String data) {
            try {
                exchange.getResponseBody()
                        .write("event: %s\ndata: %s\n\n".formatted(event, data).getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                return true;
            } catch (IOException gone) {
                return false;
            }
        }
    }

    @BeforeEach
    void serve() throws IOException {
        tokenFile = Files.writeString(folder.resolve("token"), "first");
        service = new GuardedServer("first")
                .on("/v1/locks/a", this::lockAnswer)
                .on("/v1/access/me", exchange -> GuardedServer.json(exchange, 200, "{}"))
                .on("/v1/locks/a/hold", exchange -> {
                    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                    exchange.sendResponseHeaders(200, 0);
                    opened.add(new Hold(exchange));
                });
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void lockAnswer(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestMethod());
        if (exchange.getRequestMethod().equals("DELETE")) {
            GuardedServer.json(exchange, 200, "{\"released\":true}");
            return;
        }
        var id = LOCK_ID.matcher(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        lockId = id.find() ? id.group(1) : "";
        GuardedServer.json(exchange, 201, lock());
    }

    private String lock() {
        return """
                {"name":"a","lock_id":"%s","owner":"ada","fencing_token":1,"status":"active",\
                "expires_at":"%s","remaining_ms":%d,"ttl_ms":%d}"""
                .formatted(lockId, Instant.now().plusMillis(ttlMillis), ttlMillis, ttlMillis);
    }

    /** The service ends the connection when the token expires, and answers 401 until the file is replaced. */
    @Test
    void aTokenThatIsReplacedTooLateDoesNotEndTheRun() throws Exception {
        var exec = exec(Map.of("HOLDFAST_TOKEN_FILE", tokenFile.toString()));
        var first = nextHold();
        first.acquired();
        awaitStart();

        service.accept("second");
        first.exchange.close();
        await().until(() -> service.refused() >= 3);
        assertThat(exec).isNotDone();
        Files.writeString(tokenFile, "second");

        nextHold().acquired();
        finish();
        assertThat(exec.get(OPENED_MAX_SECONDS, TimeUnit.SECONDS)).as(err()).isZero();
        assertThat(requests).containsExactly("POST", "DELETE");
        assertThat(service.asked().getLast().authorization()).isEqualTo("Bearer second");
        assertThat(err()).doesNotContain("first").doesNotContain("second");
    }

    /** As Kubernetes does it, at four fifths of a token's life. */
    @Test
    void aTokenThatIsReplacedInTimeIsUsedBeforeTheOldOneExpires() throws Exception {
        var exec = exec(Map.of("HOLDFAST_TOKEN_FILE", tokenFile.toString()));
        var first = nextHold();
        first.acquired();
        awaitStart();

        service.accept("second");
        Files.writeString(tokenFile, "second");
        await().until(() -> first.tick() && !opened.isEmpty());
        var second = nextHold();
        assertThat(first.tick()).isTrue();
        second.acquired();
        await().until(() -> !first.tick());

        finish();
        assertThat(exec.get(OPENED_MAX_SECONDS, TimeUnit.SECONDS)).as(err()).isZero();
        assertThat(service.refused()).isZero();
        assertThat(err()).isEmpty();
    }

    /** A replacement that the service does not accept must not cost the connection that still works. */
    @Test
    void aWrongReplacementIsNotUsedWhileTheOldTokenWorks() throws Exception {
        var exec = exec(Map.of("HOLDFAST_TOKEN_FILE", tokenFile.toString()));
        var first = nextHold();
        first.acquired();
        awaitStart();

        Files.writeString(tokenFile, "wrong");
        await().until(() -> first.tick() && service.refused() >= 3);
        assertThat(opened).isEmpty();
        assertThat(service.asked()).filteredOn(one -> one.status() == 401).allMatch(one -> one.path()
                .equals("/v1/access/me"));
        Files.writeString(tokenFile, "first");

        finish();
        assertThat(exec.get(OPENED_MAX_SECONDS, TimeUnit.SECONDS)).as(err()).isZero();
        assertThat(err()).isEmpty();
    }

    /** A rotation during the release: without a retry the lock would stay held until its lease expires. */
    @Test
    void aReleaseIsRepeatedWithTheNextToken() throws Exception {
        var exec = exec(Map.of("HOLDFAST_TOKEN_FILE", tokenFile.toString()));
        nextHold().acquired();
        awaitStart();

        service.accept("second");
        finish();
        await().until(() -> service.refused() >= 2);
        Files.writeString(tokenFile, "second");

        assertThat(exec.get(OPENED_MAX_SECONDS, TimeUnit.SECONDS)).as(err()).isZero();
        assertThat(requests).containsExactly("POST", "DELETE");
    }

    /** The service may say why it ends the connection. */
    @Test
    void aCommandIsRunAgainWhenItsTokenIsRefused() throws Exception {
        var exec = exec(Map.of("HOLDFAST_TOKEN_COMMAND", "cat '%s'".formatted(tokenFile)));
        var first = nextHold();
        first.acquired();
        awaitStart();

        service.accept("second");
        first.send("lost", "{\"cause\":\"unauthenticated\",\"detail\":\"The token has expired.\"}");
        first.exchange.close();
        await().until(() -> service.refused() >= 2);
        Files.writeString(tokenFile, "second");

        nextHold().acquired();
        finish();
        assertThat(exec.get(OPENED_MAX_SECONDS, TimeUnit.SECONDS)).as(err()).isZero();
    }

    /** Its command is stopped before another owner can acquire the lock. */
    @Test
    void aTokenThatIsNeverReplacedEndsTheRunWithTheLease() throws Exception {
        ttlMillis = 4_000;
        var exec = exec(Map.of("HOLDFAST_TOKEN", "first"), "--ttl", "4s", "--grace", "1s");
        var first = nextHold();
        first.acquired();
        awaitStart();

        service.accept("second");
        first.exchange.close();

        assertThat(exec.get(OPENED_MAX_SECONDS, TimeUnit.SECONDS)).isEqualTo(Exit.LOST);
        assertThat(err())
                .contains("Lock 'a' was not confirmed in time. This request needs a valid token."
                        + " The token is that of HOLDFAST_TOKEN. The command is stopped.");
    }

    @Test
    void theFirstRequestWithARefusedTokenFailsAtOnce() throws Exception {
        service.accept("second");

        var exec = exec(Map.of("HOLDFAST_TOKEN_FILE", tokenFile.toString()), "--wait", "10m");

        assertThat(exec.get(OPENED_MAX_SECONDS, TimeUnit.SECONDS)).isEqualTo(Exit.UNAUTHENTICATED);
        assertThat(service.asked()).hasSize(1);
    }

    /** Neither in its variables nor in its arguments. */
    @Test
    void theTokenOfAFileIsNotPassedOnToTheCommand() throws Exception {
        Files.writeString(tokenFile, "f1rst-s3cr3t");
        service.accept("f1rst-s3cr3t");
        var exec = exec(Map.of("HOLDFAST_TOKEN_FILE", tokenFile.toString()));
        nextHold().acquired();
        awaitStart();

        assertThat(Files.readString(folder.resolve("started")))
                .contains("HOLDFAST_LOCK=a")
                .doesNotContain("s3cr3t");

        finish();
        assertThat(exec.get(OPENED_MAX_SECONDS, TimeUnit.SECONDS)).isZero();
    }

    /** The command writes its environment and arguments to a file, and ends when there is another file. */
    private CompletableFuture<Integer> exec(Map<String, String> variables, String... options) {
        var all = new HashMap<>(variables);
        all.put("HOLDFAST_URL", service.url());
        all.put("HOLDFAST_OWNER", "ada");
        var streams = new CliEnvironment.Streams(
                InputStream.nullInputStream(),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                CliEnvironment.Terminals.NONE);
        var environment = new CliEnvironment(all, streams, Clock.systemUTC(), listener -> {}, timeout -> null);
        var words = new ArrayList<>(List.of("exec", "--lock", "a"));
        words.addAll(List.of(options));
        words.addAll(List.of(
                "--",
                "sh",
                "-c",
                """
                cd '%s'
                { env; tr '\\0' ' ' </proc/$PPID/cmdline; } >starting
                mv starting started
                while ! test -e finish; do sleep 0.05; done"""
                        .formatted(folder)));
        return CompletableFuture.supplyAsync(
                () -> Cli.run(environment, words.toArray(String[]::new)),
                work -> Thread.ofPlatform().daemon().start(work));
    }

    private Hold nextHold() throws InterruptedException {
        var hold = opened.poll(OPENED_MAX_SECONDS, TimeUnit.SECONDS);
        assertThat(hold).as(err()).isNotNull();
        return hold;
    }

    private void awaitStart() {
        await().until(() -> Files.exists(folder.resolve("started")));
    }

    private void finish() throws IOException {
        Files.createFile(folder.resolve("finish"));
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
