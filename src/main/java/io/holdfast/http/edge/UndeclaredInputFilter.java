package io.holdfast.http.edge;

import io.holdfast.kernel.InvalidInputException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ServerHttpRequest;

/**
 * Refuses query parameters that the endpoint does not declare in the {@link Contract}, that are repeated or empty, and
 * bodies where none is declared. Routing alone would ignore them, and a misspelt {@code dry_run} would stop a database.
 */
final class UndeclaredInputFilter {
    /** For these parameters an empty value is the same as none. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("prefix", "cursor");

    private static final Logger LOG = Logger.getLogger(UndeclaredInputFilter.class);

    private static final int ECHO_LENGTH_MAX = 64;
    private static final int UNKNOWN_NAMED_MAX = 5;

    private final Instance<Contract> contract;

    /** Read on first use: filters are created before the contract is loaded. */
    UndeclaredInputFilter(Instance<Contract> contract) {
        this.contract = contract;
    }

    /** @return the refusal, or null */
    @ServerRequestFilter(nonBlocking = true)
    Uni<Response> check(ResteasyReactiveContainerRequestContext context) {
        var exchange = (ResteasyReactiveRequestContext) context.getServerRequestContext();
        var operation = contract.get().of(exchange.getTarget());
        return undeclared(exchange.serverRequest(), operation.queryParameters())
                .map(input -> Uni.createFrom().item(Problems.invalidInput(input)))
                .orElseGet(() -> operation.takesBody()
                        ? Uni.createFrom().nullItem()
                        : refusedBody(
                                exchange.serverRequest().unwrap(HttpServerRequest.class), operation.queryParameters()));
    }

    private static Optional<InvalidInputException> undeclared(ServerHttpRequest request, SortedSet<String> known) {
        var names = request.queryParamNames();
        var unknown = names.stream().filter(name -> !known.contains(name)).toList();
        if (!unknown.isEmpty()) {
            return Optional.of(unknown(unknown, known));
        }
        for (var name : names) {
            var values = request.getAllQueryParams(name);
            if (values.size() > 1) {
                return Optional.of(new InvalidInputException(name, "given once"));
            }
            if (values.getFirst().isEmpty() && !MAY_BE_EMPTY.contains(name)) {
                return Optional.of(new InvalidInputException(name, "left out or given a value"));
            }
        }
        return Optional.empty();
    }

    private static InvalidInputException unknown(List<String> names, SortedSet<String> known) {
        var first = names.getFirst();
        var takes = known.isEmpty()
                ? "this request takes no query parameters"
                : "the query takes " + String.join(", ", known);
        var others = names.stream()
                .skip(1)
                .limit(UNKNOWN_NAMED_MAX)
                .map(UndeclaredInputFilter::echo)
                .collect(Collectors.joining(", "));
        return new InvalidInputException(
                echo(first),
                UnknownNames.leftOut(first, known, takes) + (others.isEmpty() ? "" : ". So must " + others));
    }

    private static String echo(String name) {
        return name.length() > ECHO_LENGTH_MAX ? name.substring(0, ECHO_LENGTH_MAX) + "…" : name;
    }

    /** If the headers do not tell whether a body follows, waits for the first byte or the end. */
    private static Uni<Response> refusedBody(HttpServerRequest request, SortedSet<String> known) {
        var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        var framed =
                request.version() == HttpVersion.HTTP_2 || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
        if (length != null ? length.equals("0") : !framed) {
            return Uni.createFrom().nullItem();
        }
        if (length != null || request.headers().contains(HttpHeaders.EXPECT)) {
            return Uni.createFrom().item(noBodyTaken(known));
        }
        return Uni.createFrom().emitter(refusal -> {
            if (request.isEnded()) {
                refusal.complete(null);
                return;
            }
            request.exceptionHandler(failure -> refusal.complete(cutShort(request, failure)));
            request.endHandler(end -> refusal.complete(null));
            request.handler(bytes -> {
                if (bytes.length() > 0) {
                    refusal.complete(noBodyTaken(known));
                }
            });
            request.resume();
        });
    }

    /** The client has disconnected. The response is not sent; it only keeps the endpoint from being called. */
    private static Response cutShort(HttpServerRequest request, Throwable failure) {
        LOG.debugf(
                "Request cut short method=%s path=%s cause=\"%s\"",
                request.method(), request.path(), failure.getMessage());
        return Problems.invalidInput(new InvalidInputException("body", "sent to its end"));
    }

    private static Response noBodyTaken(SortedSet<String> known) {
        var instead = known.isEmpty() ? "" : "; its query takes " + String.join(", ", known);
        return Problems.invalidInput(
                new InvalidInputException("body", "left out: this request takes no body" + instead));
    }
}
