package io.holdfast.http.edge;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.access.AccessService;
import io.holdfast.access.model.AuthOutcome;
import io.holdfast.access.model.Credentials;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;

/**
 * Authenticates each request before anything else is read of it, so a client without a token learns nothing of the
 * validity of its request, nor which paths exist. Not installed without access control.
 */
@Singleton
public class AuthenticationFilter {
    /** {@link RequestFilter} comes after it. */
    private static final int BEFORE_EVERYTHING = 20_000;

    /** Health and metrics. {@link AuthorizationFilter} refuses a request that gets past by a path such as {@code /q/..}. */
    private static final String OPERATIONS = "/q/";

    /** Sent by browsers. A script would make the browser ask for a password if it were answered with Basic. */
    private static final String BROWSER = "Sec-Fetch-Mode";

    private static final String CHALLENGE = "WWW-Authenticate";

    private static final String WITHOUT = "This service needs a token: send it as 'Authorization: Bearer TOKEN'.";

    private final AccessService access;
    private final ObjectMapper json;
    private final Set<String> openPaths;

    AuthenticationFilter(AccessService access, ObjectMapper json, Contract contract) {
        this.access = access;
        this.json = json;
        this.openPaths = contract.openPaths();
    }

    void install(@Observes Filters filters) {
        if (access.isOn()) {
            filters.register(this::check, BEFORE_EVERYTHING);
        }
    }

    private void check(RoutingContext exchange) {
        if (isOpen(exchange.request().path())) {
            exchange.next();
            return;
        }
        // The request is paused until it is read. The answer may come on another thread.
        var context = Vertx.currentContext();
        access.authenticate(credentials(exchange.request()))
                .subscribe()
                .with(
                        outcome -> {
                            if (Vertx.currentContext() == context) {
                                handle(exchange, outcome);
                            } else {
                                context.runOnContext(ignored -> handle(exchange, outcome));
                            }
                        },
                        exchange::fail);
    }

    private boolean isOpen(String path) {
        return path != null && (openPaths.contains(path) || path.startsWith(OPERATIONS));
    }

    private static Credentials credentials(HttpServerRequest request) {
        return Credentials.of(
                request.headers().getAll(HttpHeaders.AUTHORIZATION),
                request.isSSL() ? CertificateNames.of(request.connection()) : List.of());
    }

    private void handle(RoutingContext exchange, AuthOutcome outcome) {
        if (exchange.response().closed()) {
            // The client has disconnected meanwhile. The resource would not be told of that.
            return;
        }
        switch (outcome) {
            case AuthOutcome.Authenticated(var caller) -> {
                RequestAccess.set(exchange, access, caller);
                exchange.next();
            }
            case AuthOutcome.Missing() -> refuse(exchange, WITHOUT);
            case AuthOutcome.Refused(var reason) -> refuse(exchange, reason);
            case AuthOutcome.Unavailable(var issuer) -> {
                exchange.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString(Problems.RETRY_SECONDS));
                EarlyRefusals.send(json, exchange, AccessProblems.issuerUnavailable(issuer));
            }
        }
    }

    private void refuse(RoutingContext exchange, String reason) {
        var challenges = exchange.request().headers().contains(BROWSER)
                ? List.of(AccessProblems.BEARER)
                : List.of(AccessProblems.BEARER, AccessProblems.BASIC);
        exchange.response().putHeader(CHALLENGE, challenges);
        EarlyRefusals.send(json, exchange, AccessProblems.unauthenticated(reason));
    }
}
