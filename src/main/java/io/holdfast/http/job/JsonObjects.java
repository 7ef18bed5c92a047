package io.holdfast.http.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.holdfast.kernel.InvalidInputException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Params and results: JSON objects that clients and workers exchange. The service only passes them on. */
final class JsonObjects {
    /** An answer nests them deeper, and a JSON writer refuses more than 1000 levels. */
    private static final int DEPTH_MAX = 100;

    private static final ObjectReader READER = JsonMapper.builder()
            // No digit of a number may get lost.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build()
            .reader();

    private JsonObjects() {}

    /** @param value null if the body does not have it */
    static Optional<String> text(String field, JsonNode value) {
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isObject()) {
            throw new InvalidInputException(field, "a JSON object");
        }
        if (depth(value) > DEPTH_MAX) {
            throw new InvalidInputException(field, "a JSON object of at most " + DEPTH_MAX + " levels");
        }
        var text = value.toString();
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new InvalidInputException(field, "a JSON object without half characters");
        }
        return Optional.of(text);
    }

    static JsonNode parse(String text) {
        try {
            return READER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int depth(JsonNode value) {
        var deepest = 0;
        for (var child : value) {
            deepest = Math.max(deepest, depth(child));
        }
        return value.isContainerNode() ? deepest + 1 : 0;
    }
}
