package io.holdfast.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that says exactly what a test tells it to, byte by byte. One thread per connection. */
final class RawServer implements AutoCloseable {
    private static final int BACKLOG = 512;

    interface Conversation {
        void hold(Connection connection) throws IOException, InterruptedException;
    }

    private final ServerSocket socket;
    private final Conversation conversation;
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger openMost = new AtomicInteger();

    RawServer(Conversation conversation) {
        this.conversation = conversation;
        try {
            socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Answers every request on a connection with the same bytes, as servers that keep connections do. */
    static RawServer answering(String bytes) {
        return new RawServer(connection -> {
            while (!connection.readHead().isEmpty()) {
                connection.send(bytes);
            }
        });
    }

    /** Sends the bytes after the first request and closes. */
    static RawServer sayingThenClosing(String bytes) {
        return new RawServer(connection -> {
            connection.readHead();
            connection.send(bytes);
        });
    }

    static RawServer silent() {
        return new RawServer(Connection::untilClosed);
    }

    URI url() {
        return URI.create("http://localhost:" + socket.getLocalPort() + "/health");
    }

    URI tlsUrl() {
        return URI.create("https://localhost:" + socket.getLocalPort() + "/health");
    }

    int connections() {
        return accepted.size();
    }

    /** The most connections that were open at once. */
    int openMost() {
        return openMost.get();
    }

    List<String> heads() {
        return heads;
    }

    private void accept() {
        try {
            while (true) {
                var client = socket.accept();
                accepted.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        openMost.accumulateAndGet(open.incrementAndGet(), Math::max);
        try (client) {
            conversation.hold(new Connection(client));
        } catch (IOException e) {
            // The other side went away, which is its right.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.decrementAndGet();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (var client : accepted) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final class Connection {
        private final Socket client;

        private Connection(Socket client) {
            this.client = client;
        }

        /** A request's line and headers; empty when the other side closed instead. */
        String readHead() throws IOException {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                var next = client.getInputStream().read();
                if (next < 0) {
                    return "";
                }
                head.append((char) next);
            }
            heads.add(head.toString());
            return head.toString();
        }

        void send(String bytes) throws IOException {
            client.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            client.getOutputStream().flush();
        }

        /** Ends the connection the hard way. */
        void reset() throws IOException {
            client.setSoLinger(true, 0);
            client.close();
        }

        void untilClosed() throws IOException {
            readHead();
            readHead();
        }
    }
}
