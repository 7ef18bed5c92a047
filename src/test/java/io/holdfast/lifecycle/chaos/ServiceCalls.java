package io.holdfast.lifecycle.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.boot.ProgramCalls;
import io.holdfast.boot.ProgramCalls.Answer;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What writers and readers of services ask the running program. */
final class ServiceCalls implements AutoCloseable {
    private final ProgramCalls calls;

    ServiceCalls(URI address) {
        this.calls = new ProgramCalls(address);
    }

    /** Of programs on one table. */
    static Map<String, String> dynamoDb(String table, URI endpoint) {
        return Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", table,
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", endpoint.toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test");
    }

    static Map<String, String> dynamoDb(String table) {
        return dynamoDb(table, DynamoDbLocal.shared().endpoint());
    }

    /** Registers a service that is not observed. */
    String service() {
        return service(Map.of());
    }

    String service(Map<String, Object> body) {
        var id = "s-" + UUID.randomUUID();
        var answer = calls.put(path(id), body);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
        return id;
    }

    /** Registers a service whose URL is looked at. */
    String serviceAt(URI url) {
        return service(Map.of("observe", Map.of("url", url.toString())));
    }

    Answer deploy(String id, Map<String, Object> body) {
        return calls.post(path(id) + "/deploy", body);
    }

    Answer report(String id, Answer deployed, String status) {
        return calls.post(
                path(id) + "/result",
                Map.of(
                        "deployment_id",
                        deployed.text("deployment_id"),
                        "epoch",
                        deployed.body().path("epoch").asLong(),
                        "status",
                        status));
    }

    Answer set(String id, String status, String reason) {
        return calls.put(path(id) + "/status", Map.of("status", status, "reason", reason));
    }

    Answer get(String id) {
        return calls.get(path(id));
    }

    String status(String id) {
        return get(id).text("status");
    }

    /** All rows, the oldest first. */
    List<JsonNode> history(String id) {
        var rows = new ArrayList<JsonNode>();
        var cursor = "";
        do {
            var page = calls.get(path(id) + "/history?limit=500" + cursor).body();
            page.path("moves").forEach(rows::add);
            cursor = page.path("next_cursor").isTextual()
                    ? "&cursor=" + page.path("next_cursor").asText()
                    : "";
        } while (!cursor.isEmpty());
        return rows.reversed();
    }

    private static String path(String id) {
        return "/v1/services/" + id;
    }

    @Override
    public void close() {
        calls.close();
    }
}
