package io.holdfast.lifecycle.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A client of the event stream, as a browser is: it connects again with the last id that it has read. */
final class EventReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Queue<Long>> versions = new ConcurrentHashMap<>();
    private String lastId = "0-0-0-0";
    private int missed;
    private int connections;

    /**
     * Reads until it has seen so many moves, or the connection breaks.
     *
     * @return whether the connection was there
     */
    boolean read(URI address, int movesMax) {
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var request = HttpRequest.newBuilder(address.resolve("/v1/services/events"))
                    .header("Accept", "text/event-stream")
                    .header("Last-Event-ID", lastId)
                    .build();
            var response = client.send(request, BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            connections++;
            try (var stream = response.body()) {
                read(stream, movesMax);
            } finally {
                client.shutdownNow();
            }
            return true;
        } catch (IOException broken) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** An event counts when its last line has arrived; only then its id is the one to resume from. */
    private void read(InputStream stream, int movesMax) throws IOException {
        var event = new ArrayList<String>();
        var moves = 0;
        while (moves < movesMax) {
            var line = line(stream);
            if (!line.isEmpty()) {
                event.add(line);
            } else {
                moves += dispatch(event) ? 1 : 0;
                event.clear();
            }
        }
    }

    private static String line(InputStream stream) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (var read = stream.read(); read != '\n'; read = stream.read()) {
            if (read < 0) {
                throw new IOException("The stream has ended.");
            }
            bytes.write(read);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** @return whether it is a move */
    private boolean dispatch(List<String> event) throws JsonProcessingException {
        var name = "";
        for (var line : event) {
            if (line.startsWith("event: ")) {
                name = line.substring("event: ".length());
            } else if (line.startsWith("data: ") && name.equals("changed")) {
                var data = JSON.readTree(line.substring("data: ".length()));
                versions.computeIfAbsent(data.path("service").asText(), none -> new ConcurrentLinkedQueue<>())
                        .add(data.path("version").asLong());
            }
        }
        event.stream()
                .filter(line -> line.startsWith("id: "))
                .forEach(line -> lastId = line.substring("id: ".length()));
        missed += name.equals("missed") ? 1 : 0;
        return name.equals("changed");
    }

    /** Of one service, in the order in which they were read. */
    List<Long> versions(String service) {
        return List.copyOf(versions.getOrDefault(service, new ConcurrentLinkedQueue<>()));
    }

    int missed() {
        return missed;
    }

    int connections() {
        return connections;
    }
}
