package io.holdfast.http.lock;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.Parameters;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.lock.AcquireAllBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.set.LockSetService;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestQuery;

/** Several locks at once, all or none. */
@Path("/v1/locks")
@Produces(MediaType.APPLICATION_JSON)
public class LockSetResource {
    private static final String SEPARATOR = ",";

    private final LockSetService sets;

    LockSetResource(LockSetService sets) {
        this.sets = sets;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> acquire(AcquireAllBody body, @Context RoutingContext exchange) {
        var all = Parameters.present(body);
        var each = all.each();
        var command = new LockSetService.AcquireAll(
                allowed(names(all.names()), exchange),
                LockResource.owner(exchange, all.owner()),
                Optional.of(optional(all.lockId(), LockId::new).orElseGet(LockId::random)),
                LockResource.terms(each),
                LockResource.labels(each));
        var acquired = LockResource.autoRenewed(each) ? sets.acquireRenewed(command) : sets.acquire(command);
        return acquired.map(at -> LockResponses.acquireAll(command, at.answer(), at.now()));
    }

    @DELETE
    public Uni<Response> release(
            @RestQuery String names,
            @RestQuery("lock_id") String lockId,
            @RestQuery String owner,
            @Context RoutingContext exchange) {
        var all = allowed(names(List.of(required("names", names).split(SEPARATOR, -1))), exchange);
        return sets.release(all, new LockId(required("lock_id", lockId)), LockResource.owner(exchange, owner))
                .map(at -> LockResponses.releaseAll(all, at.answer()));
    }

    private static LockSetService.Names names(List<String> names) {
        if (names == null) {
            throw new InvalidInputException("names", "given");
        }
        return new LockSetService.Names(
                names.stream().map(LockSetResource::name).toList());
    }

    /** Checked before the first lock is asked for, so a refusal acquires and releases none. */
    private LockSetService.Names allowed(LockSetService.Names names, RoutingContext exchange) {
        sets.checkSize(names);
        var access = RequestAccess.of(exchange);
        names.all().forEach(name -> access.require(Action.ACQUIRE, ResourceKind.LOCKS, name.value()));
        return names;
    }

    private static LockName name(String text) {
        try {
            return new LockName(text);
        } catch (InvalidInputException e) {
            throw new InvalidInputException("names", "names of " + e.allowed());
        }
    }
}
