package io.holdfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.contract.OpenApi.Operation;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request made of the examples in the contract, with the required parameters only. Locks and apps have names of their
 * own, so that samples do not meet.
 *
 * @param path its parameters filled in
 * @param body null if the operation takes none
 */
public record SampleRequest(Operation operation, String path, Map<String, String> query, JsonNode body) {
    private static final Schemas SCHEMAS = new Schemas(OpenApi.contract());

    /** With the first example of its body. */
    public static SampleRequest of(Operation operation) {
        return all(operation).findFirst().orElseThrow();
    }

    /** One for each example of the body; one if there is no body. */
    public static Stream<SampleRequest> all(Operation operation) {
        var path = operation.path();
        var query = new TreeMap<String, String>();
        for (var parameter : operation.parameters()) {
            var name = parameter.required("name").textValue();
            if (parameter.required("in").textValue().equals("path")) {
                path = path.replace("{" + name + "}", encoded(pathExample(name, parameter)));
            } else if (parameter.path("required").asBoolean()) {
                query.put(name, parameter.required("example").asText());
            }
        }
        var filled = path;
        return operation.takesBody()
                ? operation
                        .body()
                        .required("examples")
                        .valueStream()
                        .map(example -> new SampleRequest(operation, filled, query, example.required("value")))
                : Stream.of(new SampleRequest(operation, filled, query, null));
    }

    public String target() {
        return query.isEmpty()
                ? path
                : path + "?"
                        + query.entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
                                .collect(Collectors.joining("&"));
    }

    /** The text to send, or null. */
    public String text() {
        return body == null ? null : body.toString();
    }

    public SampleRequest with(String parameter, String value) {
        var more = new TreeMap<>(query);
        more.put(parameter, value);
        return new SampleRequest(operation, path, more, body);
    }

    public SampleRequest withoutParameter(String name) {
        var rest = new TreeMap<>(query);
        rest.remove(name);
        return new SampleRequest(operation, path, rest, body);
    }

    public SampleRequest withoutField(String name) {
        var rest = (ObjectNode) body.deepCopy();
        rest.remove(name);
        return new SampleRequest(operation, path, query, rest);
    }

    /** The fields of the body that the contract requires. */
    public List<String> requiredFields() {
        return OpenApi.contract()
                .resolved(schema())
                .path("required")
                .valueStream()
                .map(JsonNode::textValue)
                .toList();
    }

    /** The fields of the body without which it is still valid. */
    public List<String> optionalFields() {
        return body.propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> withoutField(name).isValid())
                .toList();
    }

    boolean isValid() {
        return SCHEMAS.violations(schema(), body).isEmpty();
    }

    private JsonNode schema() {
        return operation.body().required("schema");
    }

    /** The identifier of a database follows from its registration. */
    private static String pathExample(String name, JsonNode parameter) {
        var example = parameter.required("example").textValue();
        return name.equals("id") ? example : example + "-" + UUID.randomUUID();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
