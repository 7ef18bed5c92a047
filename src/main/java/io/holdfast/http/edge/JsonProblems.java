package io.holdfast.http.edge;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.holdfast.http.wire.Times;
import io.holdfast.job.model.Progress;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.registry.Database;
import io.holdfast.registry.ProbeSpec;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns an exception of the JSON parser into the error for the caller. */
final class JsonProblems {
    /** Fields of request bodies that hold durations. */
    private static final Set<String> DURATIONS = Set.of("ttl", "wait", "max_hold", "deadline");

    /** Fields of request bodies that hold numbers, with their ranges. */
    private static final Map<String, String> NUMBERS = Map.of(
            "fencing_token", FencingToken.ALLOWED,
            "epoch", FencingToken.ALLOWED,
            "percent", Progress.PERCENT_ALLOWED,
            "port", Database.Address.PORT_ALLOWED,
            "confirmations", ProbeSpec.CONFIRMATIONS_ALLOWED);

    private JsonProblems() {}

    static InvalidInputException input(JacksonException e) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            var known = unknown.getKnownPropertyIds().stream()
                    .map(String::valueOf)
                    .sorted()
                    .toList();
            return new InvalidInputException(
                    path(unknown),
                    UnknownNames.leftOut(
                            unknown.getPropertyName(), known, "the body takes " + String.join(", ", known)));
        }
        if (e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
            return new InvalidInputException(path(mapping), expected(mapping));
        }
        return new InvalidInputException("body", "one well-formed JSON object in UTF-8");
    }

    private static String expected(JsonMappingException e) {
        var field = e.getPath().getLast().getFieldName();
        if (field != null && DURATIONS.contains(field)) {
            return Times.JSON_FORMS;
        }
        if (field != null && NUMBERS.containsKey(field)) {
            return NUMBERS.get(field) + ", without quotes";
        }
        var type = e instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        if (type == null) {
            return "of the type that the contract at /q/openapi has";
        }
        if (type == String.class) {
            return "a text in quotes";
        }
        if (type == Boolean.class) {
            return "true or false, without quotes";
        }
        return Collection.class.isAssignableFrom(type) ? "a JSON array" : "a JSON object";
    }

    private static String path(JsonMappingException e) {
        return e.getPath().stream()
                .map(reference -> reference.getFieldName() == null ? "[]" : reference.getFieldName())
                .collect(Collectors.joining("."));
    }
}
