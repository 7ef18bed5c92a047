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
import java.util.Set;

/**
 * Refuses a body whose declared length is too large, path parameters (after a semicolon), which routing would ignore, and
 * requests that a page of another site makes a browser send. Runs before the body is read.
 */
@Singleton
public class RequestFilter {
    private static final int BEFORE_EVERYTHING = 10_000;

    private static final long BODY_MAX_MAX = 1 << 20;

    /** By these, browsers say where a request comes from. */
    private static final String SITE = "Sec-Fetch-Site";

    private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");

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
                    .or(() -> ofAnotherSite(request))
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

    /** A browser sends its password for this service, or its certificate, along with such a request. */
    private static Optional<InvalidInputException> ofAnotherSite(HttpServerRequest request) {
        var site = request.getHeader(SITE);
        var origin = request.getHeader(HttpHeaders.ORIGIN);
        var isForeign = site == null ? origin != null && !isHere(origin, request) : OTHER_SITES.contains(site);
        return isForeign && !isHarmless(request.path())
                ? Optional.of(new InvalidInputException(
                        site == null ? HttpHeaders.ORIGIN.toString() : SITE,
                        "that of this service itself: pages of other sites may not send requests"))
                : Optional.empty();
    }

    private static boolean isHere(String origin, HttpServerRequest request) {
        return origin.substring(origin.indexOf("://") + 1).equals("//" + request.getHeader(HttpHeaders.HOST));
    }

    /** Other sites may link to what only tells about the service. */
    private static boolean isHarmless(String path) {
        return path != null && (path.equals("/") || path.startsWith("/q/") && !path.contains(".."));
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
