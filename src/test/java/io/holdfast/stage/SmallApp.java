package io.holdfast.stage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An app as a probe sees it: it answers 200 while it is up, and as an ingress without a backend does while it is not. */
public final class SmallApp implements AutoCloseable {
    private static final int UP = 200;
    private static final int DOWN = 503;
    private static final int BACKLOG = 1024;

    private final HttpServer server;
    private final AtomicInteger probes = new AtomicInteger();
    private volatile int answer = UP;
    private volatile Runnable onProbe = () -> {};

    public SmallApp() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::serve);
        server.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    public SmallApp goDown() {
        answer = DOWN;
        return this;
    }

    public SmallApp comeUp() {
        answer = UP;
        return this;
    }

    /** Something that happens whenever it is looked at, before it answers. */
    public void onProbe(Runnable happening) {
        onProbe = happening;
    }

    /** How often it was looked at. */
    public int probes() {
        return probes.get();
    }

    /** Nothing listens any more: whoever asks learns nothing. */
    public void disappear() {
        server.stop(0);
    }

    @Override
    public void close() {
        disappear();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            probes.incrementAndGet();
            onProbe.run();
            exchange.sendResponseHeaders(answer, -1);
        }
    }
}
