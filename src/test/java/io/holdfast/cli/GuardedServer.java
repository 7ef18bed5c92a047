package io.holdfast.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service that accepts one token at a time. Other requests get 401. */
public final class GuardedServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile String accepted;

    /** @param authorization the header; empty if there is none */
    public record Asked(String method, String path, String authorization, int status) {}

    public GuardedServer(String accepted) throws IOException {
        this.accepted = accepted;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    /** With a lock list, for commands that only need any answer. */
    public static GuardedServer withLocks(String accepted) throws IOException {
        return new GuardedServer(accepted)
                .on("/v1/locks", exchange -> json(exchange, 200, "{\"locks\":[],\"next_cursor\":null}"));
    }

    /** @param handler for requests with the accepted token */
    public GuardedServer on(String path, HttpHandler handler) {
        server.createContext(path, exchange -> {
            var header = exchange.getRequestHeaders().getFirst("Authorization");
            var authorization = header == null ? "" : header;
            var isAccepted = authorization.equals("Bearer " + accepted);
            asked.add(new Asked(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    authorization,
                    isAccepted ? 200 : 401));
            if (isAccepted) {
                handler.handle(exchange);
            } else {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                json(exchange, 401, "{\"code\":\"unauthenticated\",\"detail\":\"This request needs a valid token.\"}");
            }
        });
        return this;
    }

    /** From now on. */
    public void accept(String token) {
        accepted = token;
    }

    public static void json(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Content-Type", status < 400 ? "application/json" : "application/problem+json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    public String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    public List<Asked> asked() {
        return asked;
    }

    public List<String> authorizations() {
        return asked.stream().map(Asked::authorization).toList();
    }

    public long refused() {
        return asked.stream().filter(one -> one.status() == 401).count();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
