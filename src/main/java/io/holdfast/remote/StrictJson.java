package io.holdfast.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Parses one JSON object. Keeps all digits. Rejects duplicate names, half characters and trailing content. */
public final class StrictJson {
    private final ObjectReader reader = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build()
            .reader();

    /** Empty if the text is not such an object. */
    public Optional<JsonNode> object(String text) {
        try {
            return Optional.of(reader.readTree(text)).filter(JsonNode::isObject).filter(StrictJson::isText);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** An escape can name half of a surrogate pair, which no writer accepts. */
    private static boolean isText(JsonNode json) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(json.toString());
    }
}
