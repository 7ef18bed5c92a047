package io.holdfast.http.access;

import static io.holdfast.http.edge.Parameters.present;
import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.access.AccessService;
import io.holdfast.access.model.AccessDecision;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.Caller;
import io.holdfast.access.model.Grant.Allowance;
import io.holdfast.access.model.Permission;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.Times;
import io.holdfast.http.wire.access.AccessBody;
import io.holdfast.http.wire.access.AllowedBody;
import io.holdfast.http.wire.access.CanBody;
import io.holdfast.http.wire.access.GrantedBody;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Does not ask the store. */
@Path("/v1/access")
@Produces(MediaType.APPLICATION_JSON)
public class AccessResource {
    private final AccessService access;

    AccessResource(AccessService access) {
        this.access = access;
    }

    @GET
    @Path("/me")
    public Uni<Response> me(@Context RoutingContext exchange) {
        var body = RequestAccess.of(exchange)
                .caller()
                .map(this::known)
                .orElseGet(() -> new AccessBody(AccessModes.of(access), null, null, true, List.of(), null));
        return answer(body);
    }

    private AccessBody known(Caller caller) {
        return new AccessBody(
                AccessModes.of(access),
                caller.subject().value(),
                caller.issuer(),
                access.decide(caller, new Permission.Admin()).isAllowed(),
                access.grantsOf(caller).stream()
                        .flatMap(grant -> grant.allowances().stream())
                        .flatMap(AccessResource::granted)
                        .toList(),
                caller.expiresAt().map(Times::text).orElse(null));
    }

    /** {@code admin} has a field of its own. */
    private static Stream<GrantedBody> granted(Allowance allowance) {
        return switch (allowance) {
            case Allowance.Everything everything -> Stream.of();
            case Allowance.OnNames names ->
                Stream.of(new GrantedBody(
                        names.kind().word(),
                        names.prefix(),
                        names.actions().stream().sorted().map(Action::word).toList()));
        };
    }

    @POST
    @Path("/can")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> can(CanBody body, @Context RoutingContext exchange) {
        var permission = Permission.parse(
                required("action", present(body).action()),
                Optional.ofNullable(body.resource()).orElse(""));
        return answer(RequestAccess.of(exchange)
                .decision(permission)
                .map(AccessResource::allowed)
                .orElseGet(() -> new AllowedBody(true, null, null)));
    }

    private static AllowedBody allowed(AccessDecision decision) {
        return switch (decision) {
            case AccessDecision.Allowed(var by) -> new AllowedBody(true, by, null);
            case AccessDecision.Denied denied -> new AllowedBody(false, null, denied.missing());
        };
    }

    private static Uni<Response> answer(Object body) {
        return Uni.createFrom()
                .item(Response.ok(body)
                        .header(HttpHeaders.CACHE_CONTROL, "no-store")
                        .build());
    }
}
