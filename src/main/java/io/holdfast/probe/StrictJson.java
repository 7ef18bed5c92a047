package io.holdfast.probe;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** Reads one JSON object, with no name given twice and nothing after it. */
final class StrictJson {
    private final ObjectReader reader = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .reader();

    JsonNode object(byte[] bytes) {
        try {
            var node = reader.readTree(bytes);
            if (node.isObject()) {
                return node;
            }
        } catch (IOException e) {
            throw new CannotTellException("the answer is not JSON");
        }
        throw new CannotTellException("the answer is not a JSON object");
    }
}
