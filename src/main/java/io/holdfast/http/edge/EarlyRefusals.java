package io.holdfast.http.edge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.wire.ProblemBody;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** Sends a problem before the request is routed. */
final class EarlyRefusals {
    private EarlyRefusals() {}

    static void send(ObjectMapper json, RoutingContext exchange, ProblemBody problem) {
        if (exchange.response().closed()) {
            return;
        }
        try {
            var body = json.writeValueAsString(problem);
            // Reads and drops the body, so that the connection can carry the next request.
            exchange.request().resume();
            exchange.response()
                    .setStatusCode(problem.status())
                    .putHeader(HttpHeaders.CONTENT_TYPE, ProblemBody.MEDIA_TYPE)
                    .end(body);
        } catch (JsonProcessingException e) {
            exchange.fail(e);
        }
    }
}
