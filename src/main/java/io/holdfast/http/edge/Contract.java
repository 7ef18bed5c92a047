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
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;

/**
 * The query parameters of each endpoint, whether it takes a body, and what it needs of its caller. Read once at start
 * from the contract that is packaged with the program; tests compare it with the resources.
 */
@Startup
@Singleton
public class Contract {
    private static final String FILE = "/contract/openapi.json";

    private final Map<String, Operation> operations;
    private final Map<RuntimeResource, Operation> ofRoutes = new ConcurrentHashMap<>();

    /**
     * @param path with its parameters in braces
     * @param queryParameters the names of its query parameters
     */
    record Operation(String path, SortedSet<String> queryParameters, boolean takesBody, AccessRule access) {}

    Contract(ObjectMapper json) {
        try (var file = Contract.class.getResourceAsStream(FILE)) {
            operations = operations(json.readTree(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of the route that a request was matched with. */
    Operation of(RuntimeResource route) {
        return ofRoutes.computeIfAbsent(route, matched -> find(matched.getHttpMethod(), template(matched))
                .orElseThrow(() -> new IllegalStateException(
                        matched.getHttpMethod() + " " + template(matched) + " is not in contract/openapi.yaml")));
    }

    /** @param template the path, with its parameters in braces */
    private Optional<Operation> find(String method, String template) {
        return Optional.ofNullable(operations.get(key(method, template)));
    }

    /** The paths of the operations that need no authentication. None has parameters. */
    Set<String> openPaths() {
        return operations.values().stream()
                .filter(operation -> operation.access() instanceof AccessRule.Open)
                .map(Operation::path)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** By method and path. */
    static Map<String, Operation> operations(JsonNode contract) {
        var operations = new HashMap<String, Operation>();
        for (var path : contract.required("paths").properties()) {
            for (var operation : path.getValue().properties()) {
                var key = key(operation.getKey().toUpperCase(Locale.ROOT), path.getKey());
                operations.put(key, operation(contract, key, path.getKey(), operation.getValue()));
            }
        }
        return operations;
    }

    private static Operation operation(JsonNode contract, String key, String path, JsonNode operation) {
        var parameters = new TreeSet<String>();
        for (var entry : operation.path("parameters")) {
            var parameter = resolved(contract, entry);
            if (parameter.required("in").textValue().equals("query")) {
                parameters.add(parameter.required("name").textValue());
            }
        }
        var queryParameters = Collections.unmodifiableSortedSet(parameters);
        return new Operation(
                path, queryParameters, operation.has("requestBody"), access(key, path, queryParameters, operation));
    }

    private static AccessRule access(String key, String path, Set<String> queryParameters, JsonNode operation) {
        try {
            var rule = AccessRule.of(operation.path("x-access"));
            if (rule instanceof AccessRule.OnName name
                    && !(name.source() == AccessRule.Source.PATH
                            ? path.contains("{" + name.parameter() + "}")
                            : queryParameters.contains(name.parameter()))) {
                throw new IllegalArgumentException("has an x-access with the unknown parameter " + name.parameter());
            }
            if (rule instanceof AccessRule.Open && path.contains("{")) {
                throw new IllegalArgumentException("is open and has parameters in its path");
            }
            return rule;
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(key + " in contract/openapi.yaml " + e.getMessage() + ".", e);
        }
    }

    /** Resolves a reference: parameters of several endpoints are written once, among the components. */
    private static JsonNode resolved(JsonNode contract, JsonNode parameter) {
        return parameter.has("$ref")
                ? contract.requiredAt(parameter.get("$ref").textValue().substring(1))
                : parameter;
    }

    /** The path of a route as in the contract. */
    private static String template(RuntimeResource route) {
        var path = route.getClassPath().template + "/" + route.getPath().template;
        var oneSlashEach = path.replaceAll("/+", "/");
        return oneSlashEach.length() > 1 && oneSlashEach.endsWith("/")
                ? oneSlashEach.substring(0, oneSlashEach.length() - 1)
                : oneSlashEach;
    }

    private static String key(String method, String template) {
        return method + " " + template;
    }
}
