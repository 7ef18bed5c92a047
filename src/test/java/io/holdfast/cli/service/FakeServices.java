package io.holdfast.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.cli.CliCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The API of services that answers what a test wants. The last answer of a kind is repeated. */
final class FakeServices implements AutoCloseable {
    static final String ID = "3f0e8b52-6c1d-4c0e-9a57-2f4d1b6a9c10";
    static final long EPOCH = 1_794_990_901_677L;

    /** The request arrives, and its answer is lost. */
    static final Reply LOST = new Reply(0, "");

    static final Reply BEGUN = begun("");
    static final Reply ENDED = begun(",\"ended_at\":\"2026-11-18T09:00:00.000Z\",\"ended_with\":\"STOPPED\"");
    static final Reply WRITTEN = new Reply(200, "{\"id\":\"web\"}");
    static final Reply UNAVAILABLE = problem(503, "store-unavailable", "The store is away.");
    static final Reply LOCKED = problem(409, "lock-conflict", "Locked.");
    static final Reply STALE = problem(409, "stale-epoch", "A later deployment has begun.");

    private static final long ASKED_MAX_SECONDS = 60;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, BlockingQueue<Reply>> replies = new ConcurrentHashMap<>();
    private final Map<String, BlockingQueue<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<String> actions = new CopyOnWriteArrayList<>();
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile String held = "";

    record Reply(int status, String body) {}

    FakeServices() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/services/web/", this::serve);
        server.start();
    }

    private static Reply begun(String more) {
        return new Reply(
                200,
                "{\"deployment_id\":\"%s\",\"epoch\":%d,\"service\":{\"id\":\"web\",\"deployment\":{\"deadline\":\"soon\"%s}}}"
                        .formatted(ID, EPOCH, more));
    }

    static Reply problem(int status, String code, String detail) {
        return new Reply(status, "{\"code\":\"%s\",\"detail\":\"%s\"}".formatted(code, detail));
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** @param action the last segment of the path; the answers are given in this order */
    FakeServices answering(String action, Reply... answers) {
        replies.computeIfAbsent(action, any -> new LinkedBlockingQueue<>()).addAll(List.of(answers));
        return this;
    }

    /** Answers of this kind wait for {@link #release()}. */
    FakeServices holding(String action) {
        held = action;
        return this;
    }

    void release() {
        open.countDown();
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
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            var action = path.substring(path.lastIndexOf('/') + 1);
            var text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            actions.add(action);
            queue(action).add(CliCalls.parsed(text.isEmpty() ? "{}" : text));
            if (action.equals(held)) {
                open.await();
            }
            var reply = reply(replies.get(action));
            if (reply.status() == 0) {
                return;
            }
            var bytes = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(reply.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static Reply reply(BlockingQueue<Reply> left) {
        return left.size() > 1 ? left.remove() : left.element();
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }
}
