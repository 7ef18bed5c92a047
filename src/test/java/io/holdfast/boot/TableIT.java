package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code holdfast table}, as processes, on a real DynamoDB Local. */
class TableIT {
    private final String table = "table-" + UUID.randomUUID();

    @Test
    void aTableIsMadeOnceAndChecked() throws IOException {
        var before = run(Map.of(), "table", "check");
        assertThat(before.exit()).isEqualTo(1);
        assertThat(before.out()).isEmpty();
        assertThat(before.err()).startsWith("holdfast: The DynamoDB table '" + table + "' does not exist");

        var made = run(Map.of(), "table", "create");
        assertThat(made.exit()).as(made.err()).isZero();
        assertThat(made.out()).startsWith("Created table '" + table + "'.\n");
        assertThat(made.err()).isEmpty();

        var again = run(Map.of(), "table", "create");
        assertThat(again.exit()).isZero();
        assertThat(again.out()).startsWith("Table '" + table + "' already exists.\n");

        var once = run(Map.of(), "table", "create", "--output", "json");
        assertThat(once.exit()).isZero();
        assertThat(new ObjectMapper().readTree(once.out()).path("created").asBoolean(true))
                .isFalse();

        var json = run(Map.of(), "table", "check", "--output", "json");
        assertThat(json.exit()).isZero();
        assertThat(new ObjectMapper().readTree(json.out()).path("fine").asBoolean())
                .isTrue();
    }

    @Test
    void whoCannotBeReachedIsUnavailable() {
        var nobody = run(Map.of("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", "http://127.0.0.1:1"), "table", "check");

        assertThat(nobody.exit()).isEqualTo(4);
        assertThat(nobody.out()).isEmpty();
        assertThat(nobody.err())
                .startsWith("holdfast: DynamoDB cannot be reached at http://127.0.0.1:1")
                .hasLineCount(1);
    }

    private record Result(int exit, String out, String err) {}

    private Result run(Map<String, String> variables, String... words) {
        var environment = new HashMap<>(Map.of(
                "HOLDFAST_TABLE",
                table,
                // A call that is only slow, because the machine is busy, does not fail.
                "HOLDFAST_TIMEOUT",
                "1m",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                DynamoDbLocal.shared().endpoint().toString(),
                "AWS_REGION",
                "eu-west-3",
                "AWS_ACCESS_KEY_ID",
                "AKIA",
                "AWS_SECRET_ACCESS_KEY",
                "secret"));
        environment.putAll(variables);
        try (var command = PackagedCommand.start(environment, words)) {
            var exit = command.awaitExit();
            return new Result(exit, command.out(), command.err());
        }
    }
}
