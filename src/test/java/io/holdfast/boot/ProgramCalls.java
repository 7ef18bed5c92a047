package io.holdfast.boot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.contract.Answers;
import io.holdfast.contract.HttpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;

/**
 * Calls a running program, and checks each answer against the contract. An answer that never came is an
 * {@link UncheckedIOException}. Names need no encoding.
 */
public final class ProgramCalls implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER_MAX = Duration.ofMinutes(2);
    /** Longer than any run, so that no lease ends by itself. */
    private static final String TTL = "24h";

    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public ProgramCalls(URI address) {
        this.address = address;
    }

    public record Answer(int status, JsonNode body) {
        public String text(String field) {
            return body.path(field).asText();
        }

        long token() {
            return body.path("fencing_token").asLong();
        }
    }

    static String newLockId() {
        return UUID.randomUUID().toString();
    }

    Answer acquire(String name, String owner, String lockId) {
        var body = JSON.createObjectNode()
                .put("owner", owner)
                .put("lock_id", lockId)
                .put("ttl", TTL);
        return post("/v1/locks/" + name, body);
    }

    /** Stands in line for it, if it must, for as long as an answer may take. */
    Answer waitFor(String name, String owner, String lockId) {
        return waitFor(name, owner, lockId, ANSWER_MAX.toSeconds() + "s");
    }

    Answer waitFor(String name, String owner, String lockId, String wait) {
        var body = JSON.createObjectNode()
                .put("owner", owner)
                .put("lock_id", lockId)
                .put("wait", wait);
        return post("/v1/locks/" + name, body);
    }

    Answer renew(String name, String owner, String lockId) {
        var body = JSON.createObjectNode().put("owner", owner).put("lock_id", lockId);
        return post("/v1/locks/" + name + "/renew", body);
    }

    Answer release(String name, String owner, String lockId) {
        return delete("/v1/locks/" + name + "?lock_id=" + lockId + "&owner=" + owner);
    }

    public Answer get(String path) {
        return send("GET", path, null);
    }

    Answer delete(String path) {
        return send("DELETE", path, null);
    }

    public Answer put(String path, Object body) {
        return send("PUT", path, JSON.valueToTree(body).toString());
    }

    public Answer post(String path, Object body) {
        return send("POST", path, JSON.valueToTree(body).toString());
    }

    public Answer post(String path) {
        return send("POST", path, null);
    }

    /** Lets go of the connections at once, whatever is under way on them. */
    @Override
    public void close() {
        client.shutdownNow();
    }

    /** @param body JSON, or null for none */
    private Answer send(String method, String path, String body) {
        var request = HttpRequest.newBuilder(address.resolve(path))
                .timeout(ANSWER_MAX)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        try {
            var response = client.send(request.build(), BodyHandlers.ofString());
            Answers.check(HttpExchange.of(path, body, response));
            return new Answer(response.statusCode(), JSON.readTree(response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for an answer", e);
        }
    }
}
