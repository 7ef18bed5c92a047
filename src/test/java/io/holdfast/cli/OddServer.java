package io.holdfast.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** A server that says what a test wants it to, as Holdfast might some day, or never would. */
public final class OddServer implements AutoCloseable {
    public static final String JSON = "application/json";

    /** Where a body has the lock_id that was asked for. */
    static final String ID_PLACE = "{its lock_id}";

    private static final Pattern LOCK_ID = Pattern.compile("\"lock_id\":\"([^\"]+)\"");

    private final HttpServer server;
    private final Map<String, Said> answers = new ConcurrentHashMap<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    private record Said(int status, String type, String body) {}

    public record Asked(String method, String target, String body) {}

    public OddServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::serve);
        server.start();
    }

    /** For all that begins with the path; the longest one counts. */
    public OddServer answering(String path, int status, String type, String body) {
        answers.put(path, new Said(status, type, body));
        return this;
    }

    public OddServer answering(String path, String body) {
        return answering(path, 200, JSON, body);
    }

    public String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    public List<Asked> asked() {
        return asked;
    }

    public List<String> authorizations() {
        return authorizations;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var target = exchange.getRequestURI().toString();
            var sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                    .ifPresent(authorizations::add);
            asked.add(new Asked(exchange.getRequestMethod(), target, sent));
            var said = answers.entrySet().stream()
                    .filter(answer -> target.startsWith(answer.getKey()))
                    .max(Map.Entry.comparingByKey((one, other) -> one.length() - other.length()))
                    .map(Map.Entry::getValue)
                    .orElse(new Said(404, "text/plain", "nothing here"));
            var body = said.body().replace(ID_PLACE, id(sent)).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", said.type());
            exchange.sendResponseHeaders(said.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static String id(String sent) {
        var id = LOCK_ID.matcher(sent);
        return id.find() ? id.group(1) : "";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
