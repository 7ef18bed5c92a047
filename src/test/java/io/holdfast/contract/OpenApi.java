package io.holdfast.contract;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The contract as it is written: {@code contract/openapi.yaml}. Thread-safe. */
public final class OpenApi {
    static final Path FOLDER = Path.of("src/main/resources/contract");

    private static final OpenApi CONTRACT = read(FOLDER.resolve("openapi.yaml"));

    private final JsonNode root;
    private final List<Operation> operations = new ArrayList<>();

    /**
     * One method of one path.
     *
     * @param id its {@code operationId}
     * @param path with the names of its parameters in braces
     * @param parameters references resolved
     * @param body the media type object of the JSON body, or missing
     * @param responses by status, references resolved
     * @param access what it needs of its caller: {@code x-access}
     */
    public record Operation(
            String id,
            String method,
            String path,
            List<JsonNode> parameters,
            JsonNode body,
            Map<Integer, JsonNode> responses,
            JsonNode access) {
        public boolean takesBody() {
            return !body.isMissingNode();
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    OpenApi(JsonNode root) {
        this.root = root;
        for (var path : root.required("paths").properties()) {
            for (var operation : path.getValue().properties()) {
                operations.add(operation(operation.getKey(), path.getKey(), operation.getValue()));
            }
        }
    }

    public static OpenApi contract() {
        return CONTRACT;
    }

    /** A key that stands twice in one mapping is an error. */
    static OpenApi read(Path file) {
        var yaml = new YAMLMapper(YAMLFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());
        try {
            return new OpenApi(yaml.readTree(file.toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<Operation> operations() {
        return operations;
    }

    JsonNode root() {
        return root;
    }

    JsonNode schemas() {
        return root.at("/components/schemas");
    }

    /** The node itself, or the component that it refers to. */
    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? resolved(at(node.get("$ref").textValue())) : node;
    }

    /** @param reference {@code #/components/…} */
    JsonNode at(String reference) {
        return root.requiredAt(reference.substring(1));
    }

    private Operation operation(String method, String path, JsonNode node) {
        var parameters = new ArrayList<JsonNode>();
        node.path("parameters").forEach(parameter -> parameters.add(resolved(parameter)));
        var responses = new LinkedHashMap<Integer, JsonNode>();
        for (var response : node.required("responses").properties()) {
            responses.put(Integer.valueOf(response.getKey()), resolved(response.getValue()));
        }
        var body = node.path("requestBody").path("content").path("application/json");
        return new Operation(
                node.path("operationId").asText(),
                method.toUpperCase(Locale.ROOT),
                path,
                parameters,
                body,
                responses,
                node.path("x-access"));
    }
}
