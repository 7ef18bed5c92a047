package io.holdfast.cli.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stream of events that says what a test wants. */
final class FakeEvents implements AutoCloseable {
    private static final long OPENED_MAX_SECONDS = 60;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<Connection> opened = new LinkedBlockingQueue<>();

    FakeEvents() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/services/events", exchange -> opened.add(new Connection(exchange)));
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** The next connection. Waits for it. */
    Connection opened() throws InterruptedException {
        var next = opened.poll(OPENED_MAX_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("No connection was opened");
        }
        return next;
    }

    record Connection(HttpExchange exchange) {
        String query() {
            return exchange.getRequestURI().getQuery();
        }

        /** Null if there is none. */
        String lastEventId() {
            return exchange.getRequestHeaders().getFirst("Last-Event-ID");
        }

        Connection accept(String position) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream;charset=UTF-8");
            exchange.sendResponseHeaders(200, 0);
            return say("id: %s\nevent: ready\ndata: {\"position\":\"%s\"}\n\n".formatted(position, position));
        }

        void refuse(int status, String code) throws IOException {
            var body =
                    "{\"code\":\"%s\",\"detail\":\"Refused.\"}".formatted(code).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }

        Connection move(String position, String service, String to) throws IOException {
            return say(
                    """
                    id: %s
                    event: %s
                    data: {"service":"%s","version":7,"at":"2026-11-18T09:00:00.000Z","from":"IDLE"%s,"by":"api","rolled_back":false}

                    """
                            .formatted(
                                    position,
                                    to.isEmpty() ? "removed" : "changed",
                                    service,
                                    to.isEmpty() ? "" : ",\"to\":\"%s\"".formatted(to)));
        }

        Connection say(String text) throws IOException {
            exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            return this;
        }

        void end() {
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
