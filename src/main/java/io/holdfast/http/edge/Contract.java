package io.holdfast.http.edge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The query parameters of each endpoint, and whether it takes a body. Read once at start from the contract that is
 * packaged with the program; tests compare it with the resources.
 */
@Startup
@Singleton
public class Contract {
    private static final String FILE = "/contract/openapi.json";

    private final Map<String, Operation> operations = new HashMap<>();

    /** @param queryParameters the names of its query parameters */
    record Operation(SortedSet<String> queryParameters, boolean takesBody) {}

    Contract(ObjectMapper json) {
        try (var file = Contract.class.getResourceAsStream(FILE)) {
            var contract = json.readTree(file);
            for (var path : contract.required("paths").properties()) {
                for (var operation : path.getValue().properties()) {
                    var method = operation.getKey().toUpperCase(Locale.ROOT);
                    operations.put(key(method, path.getKey()), operation(contract, operation.getValue()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param template the path, with its parameters in braces */
    Optional<Operation> find(String method, String template) {
        return Optional.ofNullable(operations.get(key(method, template)));
    }

    private static Operation operation(JsonNode contract, JsonNode operation) {
        var parameters = new TreeSet<String>();
        for (var entry : operation.path("parameters")) {
            var parameter = resolved(contract, entry);
            if (parameter.required("in").textValue().equals("query")) {
                parameters.add(parameter.required("name").textValue());
            }
        }
        return new Operation(Collections.unmodifiableSortedSet(parameters), operation.has("requestBody"));
    }

    /** Resolves a reference: parameters of several endpoints are written once, among the components. */
    private static JsonNode resolved(JsonNode contract, JsonNode parameter) {
        return parameter.has("$ref")
                ? contract.requiredAt(parameter.get("$ref").textValue().substring(1))
                : parameter;
    }

    private static String key(String method, String template) {
        return method + " " + template;
    }
}
