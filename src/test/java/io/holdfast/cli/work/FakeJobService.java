package io.holdfast.cli.work;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A service with jobs that answers what a test wants. A claim that has no answer waits until the service is closed. */
final class FakeJobService implements AutoCloseable {
    static final Reply NOTHING_TO_DO = new Reply(204, "");
    static final Reply UNAVAILABLE = problem(503, "store-unavailable", "The store is away.");
    static final Reply STALE = problem(409, "stale-epoch", "Worker w no longer runs this job.");

    private static final long ASKED_MAX_SECONDS = 60;

    /** Keeps all digits of numbers. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<String, BlockingQueue<Reply>> replies = new ConcurrentHashMap<>();
    private final Map<String, BlockingQueue<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<String> actions = new CopyOnWriteArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile Optional<String> accepted = Optional.empty();

    /** @param body JSON, or empty */
    record Reply(int status, String body) {}

    FakeJobService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    static Reply problem(int status, String code, String detail) {
        return new Reply(status, "{\"code\":\"%s\",\"detail\":\"%s\"}".formatted(code, detail));
    }

    static Reply job(Duration lease, Duration heartbeatEvery) {
        return new Reply(200, FakeClaims.json(FakeClaims.JOB, lease, heartbeatEvery));
    }

    static Reply alive(Duration lease, boolean cancelRequested) {
        return new Reply(
                200,
                """
                {"remaining_ms":%d,"cancel_requested":%s,"expires_at":"2026-11-18T09:00:00.000Z"}"""
                        .formatted(lease.toMillis(), cancelRequested));
    }

    /** From now on, answers 401 to requests with any other token. */
    FakeJobService accept(String token) {
        accepted = Optional.of(token);
        return this;
    }

    /** Requests that were answered with 401 so far. They do not count as asked. */
    int refused() {
        return refused.get();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** @param action the last segment of the path; the answers are given in this order */
    FakeJobService answering(String action, Reply... answers) {
        replies.computeIfAbsent(action, any -> new LinkedBlockingQueue<>()).addAll(List.of(answers));
        return this;
    }

    /** The body of the next request of this kind. Waits for it. */
    JsonNode asked(String action) throws InterruptedException {
        var body = queue(action).poll(ASKED_MAX_SECONDS, TimeUnit.SECONDS);
        if (body == null) {
            throw new AssertionError("No " + action + " among " + actions);
        }
        return body;
    }

    /** All requests so far, by the last segment of their path. */
    List<String> actions() {
        return List.copyOf(actions);
    }

    private BlockingQueue<JsonNode> queue(String action) {
        return asked.computeIfAbsent(action, any -> new LinkedBlockingQueue<>());
    }

    private void serve(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var action = path.substring(path.lastIndexOf('/') + 1);
        var body = parsed(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        var authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        if (accepted.filter(token -> !authorization.equals("Bearer " + token)).isPresent()) {
            refused.incrementAndGet();
            send(exchange, problem(401, "unauthenticated", "This request needs a valid token."));
            return;
        }
        actions.add(action);
        queue(action).add(body);
        var reply = replies.computeIfAbsent(action, any -> new LinkedBlockingQueue<>())
                .poll();
        if (reply == null && action.equals("claim")) {
            if (body.path("wait").asText().equals("0ms")) {
                send(exchange, NOTHING_TO_DO);
            } else {
                awaitClose(exchange);
            }
            return;
        }
        send(exchange, reply == null ? usual(action) : reply);
    }

    private static Reply usual(String action) {
        return action.equals("heartbeat") ? alive(Duration.ofHours(1), false) : new Reply(200, "{}");
    }

    private void awaitClose(HttpExchange exchange) {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        try (exchange) {
            var bytes = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
