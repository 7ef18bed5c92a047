package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.boot.PackagedCommand;
import io.holdfast.cli.output.Exit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every command that calls the service, as a process, when nobody answers or somebody takes their time. */
class TroubleIT {
    private static final int AT_ONCE = 6;
    private static final int UNHEARD_MAX = 1000;

    /** No service is ever there. */
    private static final String DOWN = "http://127.0.0.1:1";

    private static ExecutorService threads;
    private static ServerSocket silent;

    @BeforeAll
    static void open() throws IOException {
        PackagedCommand.commandLine();
        threads = Executors.newFixedThreadPool(AT_ONCE);
        silent = new ServerSocket(0, UNHEARD_MAX, InetAddress.getLoopbackAddress());
    }

    @AfterAll
    static void close() throws IOException {
        threads.shutdownNow();
        silent.close();
    }

    @TestFactory
    Stream<DynamicTest> aServiceThatIsDownIsUnavailable() {
        return facts(
                "1m", DOWN, result -> assertThat(lastLine(result)).contains(" cannot be reached: connection refused"));
    }

    @TestFactory
    Stream<DynamicTest> aServiceThatDoesNotAnswerIsUnavailable() {
        return facts("5s", "http://localhost:" + silent.getLocalPort(), result -> assertThat(lastLine(result))
                .contains(" did not answer within 5.0s"));
    }

    @Test
    void aHostThatDoesNotExistIsSaidNotTo() {
        assertThat(lastLine(run("1m", "http://nowhere.invalid", "locks list")))
                .isEqualTo("holdfast: http://nowhere.invalid cannot be reached: unknown host."
                        + " Is --server or HOLDFAST_URL right?");
    }

    @Test
    void aServiceThatTakesItsTimeIsWaitedFor() throws Exception {
        var asked = new CountDownLatch(1);
        var enough = new CountDownLatch(1);
        var slow = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        slow.createContext("/v1/locks", exchange -> {
            asked.countDown();
            awaitQuietly(enough);
            var page = "{\"locks\":[{\"name\":\"late\"}],\"next_cursor\":null}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        slow.start();
        try {
            var server = "http://localhost:" + slow.getAddress().getPort();
            var running = threads.submit(() -> run("1m", server, "locks list -o plain"));
            assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(running).isNotDone();
            enough.countDown();

            var result = running.get();
            assertThat(result.exit()).as(result.toString()).isZero();
            assertThat(result.out()).startsWith("late\t");
        } finally {
            enough.countDown();
            slow.stop(0);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All are begun before the first is waited for. */
    private static Stream<DynamicTest> facts(String timeout, String server, Consumer<Shell.Result> fact) {
        var running = TroubleTest.commands()
                .map(command -> Map.entry(command, threads.submit(() -> run(timeout, server, command))))
                .toList();
        return running.stream()
                .map(one -> DynamicTest.dynamicTest(
                        one.getKey(), () -> fact.accept(one.getValue().get())));
    }

    private static Shell.Result run(String timeout, String server, String command) {
        // Before a command that is to be run, whose words are its own.
        var words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(1, List.of("--timeout", timeout));
        return new ShellOfProcesses().run(Map.of("HOLDFAST_URL", server), "", words.toArray(String[]::new));
    }

    /** Nothing was run, and nothing was said that is not so. */
    private static String lastLine(Shell.Result result) {
        assertThat(result.exit()).as(result.toString()).isEqualTo(Exit.UNAVAILABLE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines()).allMatch(line -> line.startsWith("holdfast: "));
        return result.err().lines().reduce((before, last) -> last).orElseThrow();
    }
}
