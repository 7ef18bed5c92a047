package io.holdfast.http;

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
 * What each endpoint takes, read from the contract that is shipped with the program. {@code ContractTest} compares that
 * contract with the endpoints, so no annotation has to be read at run time.
 */
@Startup
@Singleton
public class Contract {
    private static final String FILE = "/contract/openapi.json";

    private final Map<String, Operation> operations = new HashMap<>();

    /** @param queryParameters their names */
    record Operation(SortedSet<String> queryParameters, boolean takesBody) {}

    Contract(ObjectMapper json) {
        try (var file = Contract.class.getResourceAsStream(FILE)) {
            for (var path : json.readTree(file).required("paths").properties()) {
                for (var operation : path.getValue().properties()) {
                    var method = operation.getKey().toUpperCase(Locale.ROOT);
                    operations.put(key(method, path.getKey()), operation(operation.getValue()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param template the path with the names of its parameters in braces */
    Optional<Operation> find(String method, String template) {
        return Optional.ofNullable(operations.get(key(method, template)));
    }

    private static Operation operation(JsonNode operation) {
        var parameters = new TreeSet<String>();
        for (var parameter : operation.path("parameters")) {
            if (parameter.required("in").textValue().equals("query")) {
                parameters.add(parameter.required("name").textValue());
            }
        }
        return new Operation(Collections.unmodifiableSortedSet(parameters), operation.has("requestBody"));
    }

    private static String key(String method, String template) {
        return method + " " + template;
    }
}
