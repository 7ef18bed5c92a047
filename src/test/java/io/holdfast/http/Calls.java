package io.holdfast.http;

import io.holdfast.contract.Answers;
import io.holdfast.contract.HttpExchange;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls the service under test, and checks each answer against the contract. Paths and queries are sent as they are;
 * headers are names and values in turn.
 */
public final class Calls {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Calls() {}

    public static Answer get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    public static Answer delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    public static Answer post(String path) {
        return send("POST", path, null);
    }

    /** @param body a text is sent as it is, anything else as JSON */
    public static Answer post(String path, Object body, String... headers) {
        return send("POST", path, json(body), withType(headers));
    }

    public static Answer put(String path, Object body) {
        return send("PUT", path, json(body), withType());
    }

    /** @param body as {@link #post(String, Object, String...)} takes it, or null for none */
    public static Answer call(String method, String path, Object body, String... headers) {
        return body == null ? send(method, path, null, headers) : send(method, path, json(body), withType(headers));
    }

    /** @param body sent as it is */
    public static Answer callAs(String mediaType, String method, String path, String body) {
        return send(method, path, body, "Content-Type", mediaType);
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public static String query(Map<String, ?> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + encoded(String.valueOf(entry.getValue())))
                .collect(Collectors.joining("&"));
    }

    private static String[] withType(String... headers) {
        return Stream.concat(Stream.of("Content-Type", "application/json"), Stream.of(headers))
                .toArray(String[]::new);
    }

    private static String json(Object body) {
        return body instanceof String text ? text : Json.text(body);
    }

    /** @param body null for none */
    private static Answer send(String method, String path, String body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
                .timeout(ANSWER_MAX)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            var response = CLIENT.send(request.build(), BodyHandlers.ofString());
            Answers.check(HttpExchange.of(path, body, response));
            return new Answer(response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for an answer", e);
        }
    }
}
