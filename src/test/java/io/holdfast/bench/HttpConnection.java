package io.holdfast.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * One kept-alive HTTP/1.1 connection of one thread, on a blocking socket as a JDBC connection is. It understands only
 * answers with a {@code Content-Length}, so that the client costs as little as it can.
 */
final class HttpConnection implements AutoCloseable {
    private static final String LENGTH = "content-length:";

    private final Socket socket;
    private final InputStream in;
    private final StringBuilder line = new StringBuilder();

    record Answer(int status, String body) {
        Answer expect(int wanted) {
            if (status != wanted) {
                throw new IllegalStateException("Answered " + status + " instead of " + wanted + ": " + body);
            }
            return this;
        }

        /** The first value of this field, without quotes. */
        String first(String field) {
            var from = body.indexOf('"' + field + "\":") + field.length() + 3;
            var quoted = body.charAt(from) == '"';
            var to = quoted ? from + 1 : from;
            while (quoted ? body.charAt(to) != '"' : Character.isDigit(body.charAt(to))) {
                to++;
            }
            return body.substring(quoted ? from + 1 : from, to);
        }
    }

    HttpConnection(URI address) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    Answer post(String path, String json) throws IOException {
        send(path, json);
        return read();
    }

    /** Sends a request, and does not wait for its answer. */
    void send(String path, String json) throws IOException {
        var request = "POST " + path + " HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: "
                + json.length() + "\r\n\r\n" + json;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private Answer read() throws IOException {
        var status = Integer.parseInt(nextLine().substring(9, 12));
        var length = 0;
        for (var header = nextLine(); !header.isEmpty(); header = nextLine()) {
            if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                length = Integer.parseInt(header.substring(LENGTH.length()).strip());
            }
        }
        return new Answer(status, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private String nextLine() throws IOException {
        line.setLength(0);
        for (var next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("The connection was closed");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
