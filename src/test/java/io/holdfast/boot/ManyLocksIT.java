package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listing more locks than a screen, a page or a person can take. */
class ManyLocksIT {
    private static final int LOCKS = 10_000;
    private static final int AT_ONCE = 32;

    /** Nothing waits for what comes later, so the columns move once: from the page on that has this one. */
    private static final int LONG_NAME = 7_123;

    /** The service holds locks of its own. */
    private static final String PREFIX = "lock-";

    private static final String SUFFIX = "-of-a-tenant-with-a-name";
    private static final int PAGE = 500;

    @Test
    void tenThousandLocksAreListedInLineAndInFull() throws IOException {
        try (var program = PackagedProgram.start(Map.of(
                        "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString()));
                var calls = new ProgramCalls(program.address())) {
            take(calls);
            var environment = Map.of("HOLDFAST_URL", program.address().toString());

            try (var table = PackagedCommand.start(environment, "locks", "list", "--prefix", PREFIX);
                    var json = PackagedCommand.start(
                            environment, "locks", "list", "--prefix", PREFIX, "--output", "json");
                    var head = PackagedCommand.script(
                            environment,
                            "{ " + PackagedCommand.typed() + " locks list --prefix " + PREFIX
                                    + " --output plain; echo $? >&2; } | head -2");
                    var full = PackagedCommand.script(
                            environment, "exec " + PackagedCommand.typed() + " locks list >/dev/full")) {
                assertThat(full.awaitExit()).isEqualTo(1);
                assertThat(full.err())
                        .isEqualTo("holdfast: The result could not be written: No space left on device.\n");
                assertThat(table.awaitExit()).isZero();
                assertThat(json.awaitExit()).isZero();
                assertThat(head.awaitExit()).isZero();
                isReadable(table.out().lines().toList());
                assertThat(new ObjectMapper().readTree(json.out())).hasSize(LOCKS);
                assertThat(head.out())
                        .startsWith(name(0) + "\tworker-0\tactive\t")
                        .hasLineCount(2);
                assertThat(head.err())
                        .as("whoever reads no more has had enough")
                        .isEqualTo("0\n");
                assertThat(table.err() + json.err()).isEmpty();
            }
        }
    }

    private static void take(ProgramCalls calls) {
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            var taken = IntStream.range(0, LOCKS)
                    .mapToObj(i ->
                            threads.submit(() -> calls.acquire(name(i), "worker-" + i % 7, ProgramCalls.newLockId())
                                    .status()))
                    .toList();
            assertThat(taken).allSatisfy(status -> assertThat(status.get()).isEqualTo(201));
        }
    }

    private static void isReadable(List<String> lines) {
        var heading = lines.getFirst();
        assertThat(heading).startsWith("LOCK ");
        assertThat(lines).hasSize(LOCKS + 1);
        var wider = LONG_NAME - LONG_NAME % PAGE + 1;
        for (var column : List.of("OWNER", "STATUS", "LEFT", "TOKEN")) {
            isInLine(lines.subList(0, wider), heading.indexOf(column));
            isInLine(lines.subList(wider, lines.size()), heading.indexOf(column) + SUFFIX.length());
        }
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThan(120));
    }

    private static void isInLine(List<String> lines, int at) {
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.substring(at - 2, at + 1)).matches("  \\S"));
    }

    /** Names as they come from people: most are short, and a long one comes late. */
    private static String name(int i) {
        return PREFIX + "%05d%s".formatted(i, i == LONG_NAME ? SUFFIX : "");
    }

    /** The second page comes only when somebody has read what the first one says. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatHasComeIsShownBeforeTheRestHas() throws IOException {
        var firstPageRead = new CountDownLatch(1);
        var service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (var threads = Executors.newCachedThreadPool()) {
            service.setExecutor(threads);
            service.createContext("/v1/locks", exchange -> {
                var second = String.valueOf(exchange.getRequestURI().getQuery()).contains("cursor=more");
                try {
                    if (second) {
                        firstPageRead.await();
                    }
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                var page = second
                        ? "{\"locks\":[{\"name\":\"later\"}],\"next_cursor\":null}"
                        : "{\"locks\":[{\"name\":\"first\"}],\"next_cursor\":\"more\"}";
                var bytes = page.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, bytes.length);
                try (var body = exchange.getResponseBody()) {
                    body.write(bytes);
                }
            });
            service.start();
            var command = new ProcessBuilder(PackagedCommand.commandLine(
                            "locks",
                            "list",
                            "--server",
                            "http://localhost:" + service.getAddress().getPort()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (var lines =
                    new BufferedReader(new InputStreamReader(command.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(lines.readLine()).startsWith("LOCK ");
                assertThat(lines.readLine()).startsWith("first ");

                firstPageRead.countDown();

                assertThat(lines.readLine()).startsWith("later ");
                assertThat(lines.readLine()).isNull();
            } finally {
                firstPageRead.countDown();
                command.destroyForcibly();
                service.stop(0);
            }
        }
    }
}
