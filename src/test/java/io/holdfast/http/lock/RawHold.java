package io.holdfast.http.lock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.contract.Answers;
import io.holdfast.contract.HttpExchange;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Holds a lock by a socket of its own, and reads from it only when the test says so. The events are checked against the
 * contract.
 */
public final class RawHold implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ANSWER_MILLIS_MAX = 60_000;
    /** As little as the kernel allows. */
    private static final int RECEIVE_BUFFER = 1;

    private final Socket socket = new Socket();
    private final BufferedReader reader;
    private final String target;
    private final int status;
    private int commentLength;

    public record Event(String name, JsonNode data) {
        /** The stream has ended. */
        static final Event END = new Event("end", JSON.nullNode());

        public boolean isEnd() {
            return this == END;
        }
    }

    /** @param query with the owner at least */
    public RawHold(int port, String path, String query) {
        this(port, path, query, "", OptionalInt.empty());
    }

    /** One that can take next to nothing unless the test reads it. Reading it is slow. */
    static RawHold withoutRoom(int port, String path, String query) {
        return new RawHold(port, path, query, "", OptionalInt.of(RECEIVE_BUFFER));
    }

    /** @param authorization the value of the header */
    public static RawHold as(String authorization, int port, String path, String query) {
        return new RawHold(port, path, query, "Authorization: " + authorization + "\r\n", OptionalInt.empty());
    }

    private RawHold(int port, String path, String query, String headers, OptionalInt receiveBuffer) {
        try {
            if (receiveBuffer.isPresent()) {
                socket.setReceiveBufferSize(receiveBuffer.getAsInt());
            }
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            var request = "GET %s/hold?%s HTTP/1.1\r\nHost: here\r\nAccept: text/event-stream\r\n%s\r\n";
            socket.getOutputStream()
                    .write(request.formatted(path, query, headers).getBytes(StandardCharsets.US_ASCII));
            reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1);
            status = Integer.parseInt(reader.readLine().split(" ")[1]);
            target = "%s/hold?%s".formatted(path, query);
            Answers.check(new HttpExchange("GET", target, null, status, headers(), null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int status() {
        return status;
    }

    private Map<String, String> headers() throws IOException {
        var headers = new TreeMap<String, String>();
        for (var line = reader.readLine(); !line.isEmpty(); line = reader.readLine()) {
            var header = line.split(":", 2);
            headers.put(header[0].toLowerCase(Locale.ROOT), header[1].strip());
        }
        return headers;
    }

    /** The next event; chunk sizes and comments are skipped. */
    public Event next() {
        try {
            String name = null;
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ") && name != null) {
                    var data = JSON.readTree(line.substring("data: ".length()));
                    Answers.checkEvent(target, name, data);
                    return new Event(name, data);
                } else if (line.startsWith(":")) {
                    commentLength += line.length();
                } else if (line.equals("0")) {
                    return Event.END;
                }
            }
            return Event.END;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many characters of comments have come so far. */
    int commentLength() {
        return commentLength;
    }

    /** The next event of this name; fails if the stream ends before. */
    public JsonNode next(String name) {
        for (var event = next(); event != Event.END; event = next()) {
            if (event.name().equals(name)) {
                return event.data();
            }
        }
        throw new IllegalStateException("The stream ended without " + name);
    }

    @Override
    public void close() {
        hangUp();
    }

    void hangUp() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
