package io.holdfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The codes of the problems that a response of the contract may have. */
public final class ProblemCodes {
    static final String MEDIA_TYPE = "application/problem+json";

    private ProblemCodes() {}

    /** None if the operation is never answered so. */
    public static List<String> of(OpenApi.Operation operation, int status) {
        return operation.responses().containsKey(status)
                ? of(operation.responses().get(status))
                : List.of();
    }

    /** None if the response is not a problem. */
    static List<String> of(JsonNode response) {
        var problem = response.path("content").path(MEDIA_TYPE);
        if (problem.isMissingNode()) {
            return List.of();
        }
        var code = problem.at("/schema/properties/code");
        return code.has("const")
                ? List.of(code.get("const").textValue())
                : elements(code.required("enum")).map(JsonNode::textValue).toList();
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
