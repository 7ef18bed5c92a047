package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.RestAssured;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Types commands against the service under test. Names are made unique, since tests may share a server. */
public interface CliCalls {
    Shell shell();

    default Shell.Result holdfast(String... words) {
        return holdfastWith(Map.of(), words);
    }

    /** With this on its stdin. */
    default Shell.Result holdfastReading(String input, String... words) {
        return shell().run(Map.of("HOLDFAST_URL", server()), input, words);
    }

    /** With variables beside the one that says where the service is. */
    default Shell.Result holdfastWith(Map<String, String> variables, String... words) {
        var environment = new HashMap<>(Map.of("HOLDFAST_URL", server()));
        environment.putAll(variables);
        return shell().run(environment, "", words);
    }

    /** It must succeed, and say nothing beside its result. */
    default String good(String... words) {
        var result = holdfast(words);
        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.err()).isEmpty();
        return result.out();
    }

    default JsonNode json(String... words) {
        var all = java.util.Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--output";
        all[words.length + 1] = "json";
        return parsed(good(all));
    }

    static JsonNode parsed(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }

    /** It must fail with this exit code and one line on stderr, and write no result. */
    default String refused(int exit, String... words) {
        return refused(exit, holdfast(words));
    }

    static String refused(int exit, Shell.Result result) {
        assertThat(result.exit()).as(result.toString()).isEqualTo(exit);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("holdfast: ").endsWith("\n").containsOnlyOnce("\n");
        return result.err();
    }

    static String server() {
        return "http://localhost:" + RestAssured.port;
    }

    static String unique(String stem) {
        return stem + "-" + UUID.randomUUID();
    }
}
