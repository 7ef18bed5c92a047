package io.holdfast.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A service whose holds say what a test wants them to. */
public final class HoldingServer implements AutoCloseable {
    private static final long TOKEN = 1;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<Hold> opened = new LinkedBlockingQueue<>();

    public HoldingServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/locks/a/hold", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            opened.add(new Hold(exchange));
        });
        server.start();
    }

    public String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** The next connection that somebody opens; null if nobody does within this. */
    public Hold opened(Duration within) throws InterruptedException {
        return opened.poll(within.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** One connection. */
    public record Hold(HttpExchange exchange) {
        /** @return whether anybody was there to hear it */
        public boolean acquired(Instant expires, Duration remaining) {
            return say(
                    "acquired",
                    """
                    {"name":"a","lock_id":"id","owner":"ada","fencing_token":%d,"status":"active",\
                    "expires_at":"%s","remaining_ms":%d}"""
                            .formatted(TOKEN, expires, remaining.toMillis()));
        }

        /** @return whether anybody was there to hear it */
        public boolean tick(Instant expires, Duration remaining) {
            return say(
                    "tick",
                    """
                    {"remaining_ms":%d,"expires_at":"%s","renewals":0,"fencing_token":%d}"""
                            .formatted(remaining.toMillis(), expires, TOKEN));
        }

        private boolean say(String event, String data) {
            try {
                var text = "event: %s\ndata: %s\n\n".formatted(event, data);
                exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                return true;
            } catch (IOException gone) {
                return false;
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
