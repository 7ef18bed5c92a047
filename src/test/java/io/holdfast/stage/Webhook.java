package io.holdfast.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The other end of the webhook actuator, written after its documentation: it believes only what is signed, carries out
 * each idempotency key once, and refuses what is older than what it has carried out.
 */
public final class Webhook implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Of its own: a late order for another one that had the same port means nothing to it. */
    private final String secret = UUID.randomUUID().toString();

    private final Machine machine;
    private final HttpServer server;
    private final List<String> orders = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final Set<String> carriedOut = ConcurrentHashMap.newKeySet();
    private volatile Mood mood = Mood.OBEDIENT;
    private long lastEpoch;

    /** What it does with an order. */
    public enum Mood {
        OBEDIENT,
        /** Carries it out and never answers. */
        SPEECHLESS,
        /** Neither does anything nor answers. */
        DEAD
    }

    public Webhook(Machine machine) {
        this.machine = machine;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/power", this::order);
        server.createContext("/state", this::state);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** How a database registers that this stops and starts. */
    public Map<String, String> actuator() {
        var base = "http://127.0.0.1:" + port();
        return Map.of("kind", "webhook", "url", base + "/power", "status_url", base + "/state", "secret", secret);
    }

    /** Every order that arrived, {@code stop} or {@code start}, also those that came twice. */
    public List<String> orders() {
        return List.copyOf(orders);
    }

    /** The idempotency keys of those orders. */
    public List<String> keys() {
        return List.copyOf(keys);
    }

    public void become(Mood newMood) {
        mood = newMood;
    }

    /** Nothing listens any more. */
    public void disappear() {
        server.stop(0);
    }

    @Override
    public void close() {
        disappear();
    }

    private void order(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var order = JSON.readTree(body);
        var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        if (!isSigned(exchange, body) || !order.path("idempotency_key").asText().equals(key)) {
            answer(exchange, 403, "{}");
            return;
        }
        var current = mood;
        if (current != Mood.DEAD) {
            carryOut(order.path("action").asText(), order.path("epoch").asLong(), key);
        }
        keys.add(key);
        orders.add(order.path("action").asText());
        if (current == Mood.OBEDIENT) {
            answer(exchange, 202, "{}");
        }
    }

    private synchronized void carryOut(String action, long epoch, String key) {
        if (epoch < lastEpoch || !carriedOut.add(key)) {
            return;
        }
        lastEpoch = epoch;
        if (action.equals("stop")) {
            machine.stop();
        } else {
            machine.start();
        }
    }

    private void state(HttpExchange exchange) throws IOException {
        if (isSigned(exchange, new byte[0])) {
            answer(exchange, 200, JSON.writeValueAsString(Map.of("state", machine.state())));
        } else {
            answer(exchange, 403, "{}");
        }
    }

    private boolean isSigned(HttpExchange exchange, byte[] body) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            var timestamp = exchange.getRequestHeaders().getFirst("X-Holdfast-Timestamp");
            mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
            var expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
            var given = String.valueOf(exchange.getRequestHeaders().getFirst("X-Holdfast-Signature"));
            return MessageDigest.isEqual(
                    expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
