package io.holdfast.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.StoreUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** What was thrown, as a problem. */
final class ProblemMappers {
    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);

    @ServerExceptionMapper
    Response invalidInput(InvalidInputException e) {
        return Problems.invalidInput(e);
    }

    @ServerExceptionMapper
    Response storeUnavailable(StoreUnavailableException e) {
        return Problems.storeUnavailable(e.getMessage());
    }

    /** Quarkus maps the second of these by itself, without a body, unless it is named here. */
    @ServerExceptionMapper({JacksonException.class, MismatchedInputException.class})
    Response badJson(JacksonException e) {
        return Problems.invalidInput(inputOf(e));
    }

    @ServerExceptionMapper
    Response http(WebApplicationException e) {
        if (e.getCause() instanceof JacksonException json) {
            return badJson(json);
        }
        if (e.getResponse().getEntity() instanceof ProblemBody) {
            return e.getResponse();
        }
        var status = e.getResponse().getStatus();
        return switch (status) {
            case 400 -> Problems.http(400, "invalid-input", "Invalid input", "The request cannot be read.");
            case 404 -> Problems.http(404, "not-found", "Not found", "There is nothing at this path.");
            case 405 ->
                Problems.http(405, "method-not-allowed", "Method not allowed", "This path does not take that method.");
            case 406 ->
                Problems.http(406, "not-acceptable", "Not acceptable", "Answers are application/json; ask for that.");
            case 415 ->
                Problems.http(
                        415, "unsupported-media-type", "Unsupported media type", "Send the body as application/json.");
            default ->
                status < 500
                        ? Problems.http(status, "invalid-input", "Invalid input", "The request cannot be taken.")
                        : internal(e);
        };
    }

    @ServerExceptionMapper
    Response internal(Throwable e) {
        LOG.error("Request failed", e);
        return Problems.http(
                500, "internal-error", "Internal error", "Something is broken in the service; its log says what.");
    }

    private static InvalidInputException inputOf(JacksonException e) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            return new InvalidInputException(
                    pathOf(unknown),
                    "left out; the body takes "
                            + unknown.getKnownPropertyIds().stream()
                                    .map(String::valueOf)
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        }
        if (e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
            return new InvalidInputException(pathOf(mapping), "of the type that the API describes");
        }
        return new InvalidInputException("body", "one well-formed JSON object in UTF-8");
    }

    private static String pathOf(JsonMappingException e) {
        return e.getPath().stream()
                .map(reference -> reference.getFieldName() == null ? "[]" : reference.getFieldName())
                .collect(Collectors.joining("."));
    }
}
