package io.holdfast.deploy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** YAML in which no key stands twice. */
final class Yaml {
    private static final ObjectMapper MAPPER = new ObjectMapper(
            YAMLFactory.builder().build().configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true));

    private Yaml() {}

    static List<JsonNode> documents(String text) {
        var documents = new ArrayList<JsonNode>();
        try (var parser = MAPPER.createParser(text)) {
            while (parser.nextToken() != null) {
                documents.add(MAPPER.readTree(parser));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return documents;
    }

    static JsonNode document(String text) {
        var documents = documents(text);
        if (documents.size() != 1) {
            throw new IllegalArgumentException("one document is wanted, and there are " + documents.size());
        }
        return documents.getFirst();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(Yaml::string)
                .toList();
    }

    static String string(JsonNode node) {
        if (!node.isTextual()) {
            throw new IllegalArgumentException("not a text: " + node);
        }
        return node.textValue();
    }
}
