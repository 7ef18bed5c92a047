package io.holdfast.cli.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes requests on to a service, and loses the first answer to each path. */
final class LosingProxy implements AutoCloseable {
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private final String service;

    LosingProxy(String service) throws IOException {
        this.service = service;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::pass);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request = HttpRequest.newBuilder(
                            URI.create(service + exchange.getRequestURI().getRawPath()))
                    .header("Content-Type", "application/json")
                    .method(
                            exchange.getRequestMethod(),
                            BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
                    .build();
            var answer = client.send(request, BodyHandlers.ofByteArray());
            if (lost.add(exchange.getRequestURI().getPath())) {
                return;
            }
            exchange.getResponseHeaders()
                    .set(
                            "Content-Type",
                            answer.headers().firstValue("Content-Type").orElse(""));
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        client.shutdownNow();
    }
}
