package io.holdfast.boot;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** What lies between a client and a service: it can fall silent towards the client, and be cut. */
final class Wire implements AutoCloseable {
    private static final int BUFFER = 8192;

    private final ServerSocket entrance;
    private final URI service;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();

    Wire(URI service) throws IOException {
        this.service = service;
        this.entrance = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "http://localhost:" + entrance.getLocalPort();
    }

    /** On the connections of now, nothing more comes from the service. New ones are as good as any. */
    void silence() {
        lines.forEach(line -> line.silent = true);
    }

    /** Hangs up on both sides of the connections of now. */
    void cut() {
        lines.forEach(Line::close);
        lines.clear();
    }

    /** Hangs up, and takes no further connection. */
    void shut() throws IOException {
        entrance.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                var client = entrance.accept();
                var line = new Line(client, new Socket(service.getHost(), service.getPort()));
                lines.add(line);
                Thread.ofVirtual().start(() -> line.pass(line.client, line.service));
                Thread.ofVirtual().start(() -> line.pass(line.service, line.client));
            }
        } catch (IOException closed) {
            // No more connections.
        }
    }

    private static final class Line {
        private final Socket client;
        private final Socket service;
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile boolean silent;

        Line(Socket client, Socket service) {
            this.client = client;
            this.service = service;
        }

        void pass(Socket from, Socket to) {
            try {
                var bytes = new byte[BUFFER];
                for (var count = from.getInputStream().read(bytes);
                        count >= 0;
                        count = from.getInputStream().read(bytes)) {
                    if (silent && from == service) {
                        closed.await();
                    }
                    to.getOutputStream().write(bytes, 0, count);
                }
            } catch (IOException | InterruptedException over) {
                // One end has hung up.
            } finally {
                close();
            }
        }

        void close() {
            closed.countDown();
            try (client;
                    service) {
                // Both, whatever becomes of the first.
            } catch (IOException e) {
                // It was closed.
            }
        }
    }

    @Override
    public void close() throws IOException {
        shut();
    }
}
