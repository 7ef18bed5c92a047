package io.holdfast.http.edge;

import io.holdfast.access.AccessService;
import io.holdfast.access.model.AccessDecision.Denied;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.Permission;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.core.parameters.PathParamExtractor;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * Refuses what the grants of the caller do not allow, by the {@link AccessRule} of the operation. Runs before parameters
 * and body are checked and before the store is asked, so a refusal does not tell what exists.
 */
final class AuthorizationFilter {
    private final Instance<AccessService> access;
    private final Instance<Contract> contract;

    /** Read on first use: filters are created before the contract is loaded. */
    AuthorizationFilter(Instance<AccessService> access, Instance<Contract> contract) {
        this.access = access;
        this.contract = contract;
    }

    /** @return the refusal, or null */
    @ServerRequestFilter(nonBlocking = true, priority = Priorities.AUTHORIZATION)
    Response check(ResteasyReactiveContainerRequestContext context) {
        if (!access.get().isOn()) {
            return null;
        }
        var exchange = (ResteasyReactiveRequestContext) context.getServerRequestContext();
        var rule = contract.get().of(exchange.getTarget()).access();
        var routing = exchange.unwrap(RoutingContext.class);
        if (rule instanceof AccessRule.Open) {
            return null;
        }
        if (!RequestAccess.isSet(routing)) {
            return AccessProblems.unauthenticatedResponse("This request was not authenticated.");
        }
        return refusal(rule, exchange, RequestAccess.of(routing))
                .map(denied -> Problems.answer(AccessProblems.forbidden(denied)))
                .orElse(null);
    }

    private static Optional<Denied> refusal(
            AccessRule rule, ResteasyReactiveRequestContext exchange, RequestAccess access) {
        return switch (rule) {
            case AccessRule.Open open -> Optional.empty();
            case AccessRule.Authenticated authenticated -> Optional.empty();
            case AccessRule.Admin admin -> access.refusal(new Permission.Admin());
            case AccessRule.OnNames onNames -> access.refusalOfAll(onNames.action(), onNames.kind());
            case AccessRule.OnName onName ->
                names(exchange, onName).stream()
                        .flatMap(name -> refusal(onName, name, access).stream())
                        .findFirst();
        };
    }

    /** Denied if none of the actions is allowed. */
    private static Optional<Denied> refusal(AccessRule.OnName rule, String name, RequestAccess access) {
        var refusals = new ArrayList<Denied>();
        for (Action action : rule.actions()) {
            var refusal = access.refusal(new Permission.OnResource(action, rule.kind(), name));
            if (refusal.isEmpty()) {
                return refusal;
            }
            refusals.add(refusal.get());
        }
        return Optional.of(refusals.getFirst());
    }

    /** Decoded by the code that decodes it for the resource. None if a parameter of the query is missing: refused later. */
    private static List<String> names(ResteasyReactiveRequestContext exchange, AccessRule.OnName rule) {
        return switch (rule.source()) {
            case PATH -> {
                var index = exchange.getTarget().getPathParameterIndexes().get(rule.parameter());
                yield List.of(String.valueOf(new PathParamExtractor(index, false, true).extractParameter(exchange)));
            }
            case QUERY -> exchange.serverRequest().getAllQueryParams(rule.parameter());
        };
    }
}
