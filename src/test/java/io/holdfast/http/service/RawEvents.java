package io.holdfast.http.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.contract.Answers;
import io.holdfast.contract.HttpExchange;
import io.restassured.RestAssured;
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
import java.util.TreeMap;

/** Reads a stream of events by a socket of its own. The events are checked against the contract. */
final class RawEvents implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ANSWER_MILLIS_MAX = 60_000;

    private final Socket socket = new Socket();
    private final BufferedReader reader;
    private final String target;
    private final int status;

    /** @param name empty for an id without an event */
    record Event(String name, String id, JsonNode data) {
        String text(String field) {
            return data.path(field).asText(null);
        }
    }

    /** @param headers each with its line end */
    RawEvents(String query, String headers) {
        try {
            target = "/v1/services/events" + query;
            socket.setSoTimeout(ANSWER_MILLIS_MAX);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
            var request =
                    "GET %s HTTP/1.1\r\nHost: here\r\nAccept: text/event-stream\r\n%s\r\n".formatted(target, headers);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            status = Integer.parseInt(reader.readLine().split(" ")[1]);
            Answers.check(new HttpExchange("GET", target, null, status, headers(), null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RawEvents of(String prefix) {
        return new RawEvents("?prefix=" + prefix, "");
    }

    static RawEvents after(String prefix, String lastEventId) {
        return new RawEvents("?prefix=" + prefix, "Last-Event-ID: " + lastEventId + "\r\n");
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

    /** The next event that is not an id alone. */
    Event next() {
        var event = any();
        while (event.name().isEmpty()) {
            event = any();
        }
        return event;
    }

    /** The next event or id; chunk sizes and comments are skipped. Fails if the stream ends. */
    Event any() {
        try {
            String name = "";
            String id = null;
            for (var line = reader.readLine(); line != null && !line.equals("0"); line = reader.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("id: ")) {
                    id = line.substring("id: ".length());
                } else if (line.startsWith("data: ")) {
                    var data = JSON.readTree(line.substring("data: ".length()));
                    Answers.checkEvent(target, name, data);
                    return new Event(name, id, data);
                } else if (line.isEmpty() && id != null) {
                    return new Event("", id, JSON.nullNode());
                }
            }
            throw new IllegalStateException("The stream has ended");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
