package io.holdfast.http.edge;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.kernel.InvalidInputException;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Refuses a body whose declared length is too large, and path parameters (after a semicolon), which routing would ignore.
 * Runs before the body is read.
 */
@Singleton
public class RequestFilter {
    private static final int BEFORE_EVERYTHING = 10_000;

    private static final long BODY_MAX_MAX = 1 << 20;

    private final ObjectMapper json;
    private final long bodyMax;

    RequestFilter(ObjectMapper json, HttpConfig config) {
        this.json = json;
        this.bodyMax = config.bodyMax().asLongValue();
        if (bodyMax < 1 || bodyMax > BODY_MAX_MAX) {
            throw new IllegalStateException(
                    "holdfast.http.body-max (" + bodyMax + ") must be from 1 to " + BODY_MAX_MAX);
        }
    }

    void install(@Observes Filters filters) {
        filters.register(this::check, BEFORE_EVERYTHING);
    }

    private void check(RoutingContext context) {
        var request = context.request();
        if (declaredLength(request) > bodyMax) {
            // The rest of the body is not read, so the connection is closed.
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            EarlyRefusals.send(json, context, Problems.bodyTooLarge(bodyMax));
        } else {
            dropped(request)
                    .ifPresentOrElse(
                            input -> EarlyRefusals.send(json, context, Problems.invalidInputBody(input)),
                            context::next);
        }
    }

    private static Optional<InvalidInputException> dropped(HttpServerRequest request) {
        // For all paths, because routing also accepts, for example, two leading slashes.
        return request.path() != null && request.path().indexOf(';') >= 0
                ? Optional.of(new InvalidInputException("path", "without a semicolon"))
                : Optional.empty();
    }

    private static long declaredLength(HttpServerRequest request) {
        var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
