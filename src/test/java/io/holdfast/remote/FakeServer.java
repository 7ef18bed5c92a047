package io.holdfast.remote;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A local HTTP server that keeps what it was asked and answers as a test says. */
public final class FakeServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Function<Request, Response> answers;

    public FakeServer(Function<Request, Response> answers) {
        this.server = plain();
        this.answers = answers;
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    private static HttpServer plain() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public record Request(String method, URI uri, Headers headers, String body) {
        public String header(String name) {
            return headers.getFirst(name);
        }

        public Map<String, String> form() {
            return pairs(body);
        }

        public Map<String, String> query() {
            return pairs(uri.getRawQuery() == null ? "" : uri.getRawQuery());
        }

        private static Map<String, String> pairs(String text) {
            return Arrays.stream(text.split("&"))
                    .map(pair -> pair.split("=", 2))
                    .filter(pair -> pair.length == 2)
                    .collect(Collectors.toMap(pair -> decode(pair[0]), pair -> decode(pair[1])));
        }

        private static String decode(String text) {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }
    }

    /** A status of {@link #SILENCE} is no answer at all, {@link #CUT} a closed connection. */
    public record Response(int status, Map<String, String> headers, String body) {
        public static final int SILENCE = -1;
        public static final int CUT = -2;

        public static Response of(int status, String body) {
            return new Response(status, Map.of(), body);
        }

        public static Response silence() {
            return of(SILENCE, "");
        }

        public static Response cut() {
            return of(CUT, "");
        }
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public void answers(Function<Request, Response> with) {
        answers = with;
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var request = new Request(
                    exchange.getRequestMethod(), exchange.getRequestURI(), exchange.getRequestHeaders(), body);
            requests.add(request);
            write(exchange, answers.apply(request));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(HttpExchange exchange, Response response) throws IOException, InterruptedException {
        if (response.status() == Response.SILENCE) {
            closed.await();
        }
        if (response.status() < 0) {
            return;
        }
        response.headers().forEach(exchange.getResponseHeaders()::set);
        var bytes = response.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(response.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
