package io.holdfast.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.contract.OpenApi.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks every answer that a test gets from the service against the contract: the status of the operation, the media
 * type, the headers and the body. A request that the service has understood must be valid, too. Thread-safe.
 */
public final class Answers {
    /** Headers of HTTP itself, which a contract does not list. */
    private static final Set<String> TRANSPORT =
            Set.of("content-type", "content-length", "transfer-encoding", "connection", "date");

    /** For a request that was refused before its body was understood. */
    private static final Set<Integer> NOT_UNDERSTOOD = Set.of(400, 401, 403, 406, 413, 415);

    private static final int UNAUTHENTICATED = 401;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Answers CONTRACT = new Answers(OpenApi.contract());

    private final OpenApi contract;
    private final Schemas schemas;

    Answers(OpenApi contract) {
        this.contract = contract;
        this.schemas = new Schemas(contract);
    }

    /** Fails unless the contract has this answer. */
    public static void check(HttpExchange exchange) {
        report(exchange.toString(), CONTRACT.violations(exchange));
        CONTRACT.note(exchange);
    }

    /** Fails unless the contract has this event in the stream of the request. */
    public static void checkEvent(String target, String event, JsonNode data) {
        report(event + " " + data, CONTRACT.eventViolations(target, event, data));
        CONTRACT.noteEvent(target, event, data);
    }

    private static void report(String what, List<String> violations) {
        if (!violations.isEmpty()) {
            throw new AssertionError("Not as the contract has it: " + violations + "\n" + what);
        }
    }

    List<String> violations(HttpExchange exchange) {
        var path = Paths.normalized(exchange.target());
        if (path.startsWith("/q/") && !path.equals("/q/openapi")) {
            return List.of();
        }
        var operation = find(exchange);
        if (exchange.status() == METHOD_NOT_ALLOWED && (operation.isEmpty() || exchange.isHead())) {
            return problem(exchange, "method-not-allowed");
        }
        if (operation.isEmpty() && exchange.status() == UNAUTHENTICATED) {
            return problem(exchange, "unauthenticated");
        }
        if (operation.isEmpty()) {
            return problem(exchange, exchange.status() == NOT_FOUND ? "not-found" : "invalid-input");
        }
        return violations(exchange, operation.get());
    }

    List<String> eventViolations(String target, String event, JsonNode data) {
        return schemas.violations(streamSchema(target), eventValue(event, data));
    }

    private JsonNode streamSchema(String target) {
        return find("GET", target).orElseThrow().responses().get(200).at("/content/text~1event-stream/schema");
    }

    private static JsonNode eventValue(String event, JsonNode data) {
        var value = JSON.createObjectNode().put("event", event);
        value.set("data", data);
        return value;
    }

    /** For {@code ContractCoverageTest}. */
    private void note(HttpExchange exchange) {
        find(exchange)
                .filter(found -> found.responses().containsKey(exchange.status()))
                .ifPresent(operation -> {
                    var schema = operation
                            .responses()
                            .get(exchange.status())
                            .path("content")
                            .path(exchange.mediaType());
                    var hasJson =
                            exchange.mediaType().endsWith("json") && exchange.body() != null && !exchange.isHead();
                    var body = hasJson ? parsed(exchange.body()) : JSON.missingNode();
                    Seen.note(Seen.answer(
                            operation.toString(),
                            exchange.status(),
                            body.path("code").asText()));
                    Seen.noteFields(contract, schema.path("schema"), body);
                });
    }

    private void noteEvent(String target, String event, JsonNode data) {
        Seen.note(Seen.answer(find("GET", target).orElseThrow().toString(), 200, event));
        Seen.noteFields(contract, streamSchema(target), eventValue(event, data));
    }

    private List<String> violations(HttpExchange exchange, Operation operation) {
        var response = operation.responses().get(exchange.status());
        if (response == null) {
            return List.of(operation + " is never answered " + exchange.status());
        }
        var violations = new ArrayList<String>();
        violations.addAll(headerViolations(exchange, response.path("headers")));
        violations.addAll(contentViolations(exchange, response.path("content")));
        if (exchange.sent() != null && operation.takesBody() && !NOT_UNDERSTOOD.contains(exchange.status())) {
            schemas.violations(operation.body().required("schema"), parsed(exchange.sent()))
                    .forEach(violation ->
                            violations.add("the service has taken a body that is not valid: " + violation));
        }
        return violations;
    }

    private List<String> headerViolations(HttpExchange exchange, JsonNode declared) {
        var violations = new ArrayList<String>();
        var names = declared.propertyStream()
                .collect(Collectors.toMap(
                        header -> header.getKey().toLowerCase(Locale.ROOT),
                        header -> contract.resolved(header.getValue())));
        names.forEach((name, header) -> {
            var value = exchange.header(name);
            if (value != null) {
                schemas.violations(
                                header.required("schema"),
                                typed(header.at("/schema/type").asText(), value))
                        .forEach(violation -> violations.add("header " + name + ": " + violation));
            } else if (header.path("required").asBoolean()) {
                violations.add("header " + name + " is missing");
            }
        });
        exchange.headers().keySet().stream()
                .filter(name -> !TRANSPORT.contains(name) && !names.containsKey(name))
                .forEach(name -> violations.add("header " + name + " is not declared"));
        return violations;
    }

    private List<String> contentViolations(HttpExchange exchange, JsonNode declared) {
        var type = exchange.mediaType();
        if (declared.isMissingNode()) {
            return type.isEmpty() && (exchange.body() == null || exchange.body().isEmpty())
                    ? List.of()
                    : List.of("there is a body");
        }
        if (!declared.has(type)) {
            return List.of("the media type is '" + type + "'");
        }
        return type.endsWith("json") && exchange.body() != null && !exchange.isHead()
                ? schemas.violations(declared.get(type).required("schema"), parsed(exchange.body()))
                : List.of();
    }

    /** A problem that is the same for all paths. */
    private List<String> problem(HttpExchange exchange, String code) {
        if (!exchange.mediaType().equals(ProblemCodes.MEDIA_TYPE)) {
            return List.of("the media type is '" + exchange.mediaType() + "'");
        }
        if (exchange.body() == null || exchange.isHead()) {
            return List.of();
        }
        var problem = parsed(exchange.body());
        var violations = new ArrayList<>(
                schemas.violations(JSON.createObjectNode().put("$ref", "#/components/schemas/Problem"), problem));
        if (!problem.path("code").asText().equals(code)) {
            violations.add("the code is not " + code);
        }
        return violations;
    }

    private Optional<Operation> find(HttpExchange exchange) {
        return find(exchange.isHead() ? "GET" : exchange.method(), exchange.target());
    }

    private Optional<Operation> find(String method, String target) {
        var path = Paths.normalized(target);
        return contract.operations().stream()
                .filter(operation -> operation.method().equals(method) && Paths.matches(operation.path(), path))
                .findAny();
    }

    private static JsonNode typed(String type, String value) {
        return type.equals("integer") ? parsed(value) : JsonNodeFactory.instance.textNode(value);
    }

    private static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            return JsonNodeFactory.instance.textNode(json);
        }
    }
}
