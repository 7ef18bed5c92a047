package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A thousand callers wait at one program. */
class ManyWaitersIT {
    private static final int LOCKS = 100;
    private static final int WAITERS_PER_LOCK = 10;

    /** Fewer than one a lock: those of timers, which start a thread when one is due. */
    private static final int OTHER_THREADS_MAX = 10;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aThousandWaitersHoldNoThreadAndAreServedInTheEnd() throws IOException {
        var environment =
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());
        var waiters = new ArrayList<Socket>();
        try (var program = PackagedProgram.start(environment);
                var metrics = new ProgramMetrics(program.address());
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            var holders = all(client, IntStream.range(0, LOCKS).mapToObj(i -> acquire(program, i)));
            assertThat(holders).allSatisfy(answer -> assertThat(answer).contains("\"status\":\"active\""));
            // Busy as it ever gets without anybody waiting: every thread that serving takes is there now.
            all(client, IntStream.range(0, 10 * LOCKS).mapToObj(i -> get(program, "/v1/locks/busy-" + i % LOCKS)));
            var threads = metrics.value("jvm_threads_live_threads");

            for (var i = 0; i < LOCKS * WAITERS_PER_LOCK; i++) {
                if (i == LOCKS) {
                    // Each lock has somebody who is first.
                    awaitWaiting(metrics, LOCKS);
                }
                waiters.add(waits(program.address(), i));
            }
            awaitWaiting(metrics, LOCKS * WAITERS_PER_LOCK);
            var threadsWhileAllWait = metrics.value("jvm_threads_live_threads");

            all(client, holders.stream().map(answer -> release(program, answer)));

            assertThat(threadsWhileAllWait).isLessThan(threads + OTHER_THREADS_MAX);
            for (var first : waiters.subList(0, LOCKS)) {
                assertThat(statusLine(first)).contains("201");
            }
        } finally {
            for (var waiter : waiters) {
                waiter.close();
            }
        }
    }

    private static void awaitWaiting(ProgramMetrics metrics, int count) {
        await().atMost(PATIENCE).until(() -> metrics.value("lock_waiting") == count);
    }

    private static List<String> all(HttpClient client, Stream<HttpRequest> requests) {
        return requests.map(request -> client.sendAsync(request, BodyHandlers.ofString())).toList().stream()
                .map(CompletableFuture::join)
                .map(response -> response.body())
                .toList();
    }

    private static HttpRequest acquire(PackagedProgram program, int lock) {
        return HttpRequest.newBuilder(program.address().resolve("/v1/locks/busy-" + lock))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"owner\":\"holder\"}"))
                .build();
    }

    private static HttpRequest get(PackagedProgram program, String path) {
        return HttpRequest.newBuilder(program.address().resolve(path)).build();
    }

    private static HttpRequest release(PackagedProgram program, String lock) {
        var path = "/v1/locks/%s?owner=holder&lock_id=%s".formatted(field(lock, "name"), field(lock, "lock_id"));
        return HttpRequest.newBuilder(program.address().resolve(path)).DELETE().build();
    }

    private static String field(String json, String name) {
        var from = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(from, json.indexOf('"', from));
    }

    /** On a connection of its own; the first ones of each lock come first. */
    private static Socket waits(URI address, int number) throws IOException {
        var body = "{\"owner\":\"w%d\",\"wait\":\"5m\"}".formatted(number);
        var request =
                "POST /v1/locks/busy-%d HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(number % LOCKS, body.length(), body);
        var socket = new Socket(address.getHost(), address.getPort());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String statusLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }
}
