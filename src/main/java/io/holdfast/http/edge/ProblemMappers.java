package io.holdfast.http.edge;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.StoreUnavailableException;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.SimpleResourceInfo;

/** Turns exceptions into problem responses. */
final class ProblemMappers {
    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);
    private static final Set<String> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    @ServerExceptionMapper
    Response invalidInput(InvalidInputException e) {
        return Problems.invalidInput(e);
    }

    @ServerExceptionMapper
    Response forbidden(ForbiddenException e) {
        return Problems.answer(AccessProblems.forbidden(e.denied()));
    }

    @ServerExceptionMapper
    Response storeUnavailable(
            StoreUnavailableException e, ContainerRequestContext request, SimpleResourceInfo resource) {
        return READS.contains(request.getMethod()) && !changesData(resource)
                ? Problems.storeUnreadable(e.getMessage())
                : Problems.storeUnavailable(e.getMessage());
    }

    /** Whether a GET of this resource changes data. */
    private static boolean changesData(SimpleResourceInfo resource) {
        return resource != null && ChangesOnGet.class.isAssignableFrom(resource.getResourceClass());
    }

    /** The second exception is named because Quarkus has a mapper for it that answers without a body. */
    @ServerExceptionMapper({JacksonException.class, MismatchedInputException.class})
    Response badJson(JacksonException e) {
        return Problems.invalidInput(JsonProblems.input(e));
    }

    @ServerExceptionMapper
    Response http(WebApplicationException e, RoutingContext exchange) {
        if (e.getCause() instanceof JacksonException json) {
            return badJson(json);
        }
        if (e.getResponse().getEntity() instanceof ProblemBody) {
            return e.getResponse();
        }
        var status = e.getResponse().getStatus();
        return switch (status) {
            case 400 -> Problems.http(400, "invalid-input", "Invalid input", "The request cannot be read.");
            case 404 -> Problems.nothingAt(exchange.request().path());
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
}
