package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log lines of the packaged program as JSON. */
class JsonLogIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void eachLineIsOneObjectAndAStackTraceIsPartOfIt() {
        // On this level the libraries log stack traces while they start.
        try (var program = PackagedProgram.start(environment(Map.of("QUARKUS_LOG_LEVEL", "DEBUG")));
                var calls = new ProgramCalls(program.address())) {
            assertThat(calls.acquire("nightly", "ada", ProgramCalls.newLockId()).status())
                    .isEqualTo(201);
            program.terminate();
            program.awaitExit();

            var lines = lines(program);
            assertThat(lines).allSatisfy(line -> assertThat(
                            line.has("timestamp") && line.has("level") && line.has("loggerName") && line.has("message"))
                    .as("%s", line)
                    .isTrue());
            assertThat(lines)
                    .extracting(line -> line.path("message").asText())
                    .anyMatch(message -> message.startsWith("Lock acquired lock=nightly owner=ada "));
            if (!PackagedProgram.isNative()) {
                assertThat(lines)
                        .extracting(line -> line.path("stackTrace").asText())
                        .anyMatch(trace -> trace.contains("\n\tat "));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "yes", "ON", "1"})
    void theReasonWhyItDoesNotStartIsOneToo(String switchedOn) {
        try (var program =
                PackagedProgram.launch(environment(Map.of("HOLDFAST_STORE", "foo", "HOLDFAST_LOG_JSON", switchedOn)))) {
            assertThat(program.awaitExit()).isNotZero();

            assertThat(lines(program))
                    .extracting(line -> line.path("message").asText())
                    .containsExactly("Holdfast cannot start: holdfast.store must be embedded or dynamodb, not 'foo':"
                            + " set HOLDFAST_STORE.");
        }
    }

    private static Map<String, String> environment(Map<String, String> more) {
        var environment = new HashMap<>(Map.of(
                "HOLDFAST_DATA_DIR",
                PackagedProgram.newDataFolder().toString(),
                "HOLDFAST_DRAIN_DELAY",
                "0s",
                "HOLDFAST_LOG_JSON",
                "true"));
        environment.putAll(more);
        return environment;
    }

    private static List<JsonNode> lines(PackagedProgram program) {
        return program.output().lines().map(JsonLogIT::parsed).toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("Not a JSON object: " + line, e);
        }
    }
}
