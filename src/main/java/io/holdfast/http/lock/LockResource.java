package io.holdfast.http.lock;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.present;
import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.PageParameters;
import io.holdfast.http.edge.Parameters;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.lock.AcquireBody;
import io.holdfast.http.wire.lock.RenewBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Subject;
import io.holdfast.kernel.Text;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.LockService;
import io.holdfast.lock.hold.AutoRenewals;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.LockQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

@Path("/v1/locks")
@Produces(MediaType.APPLICATION_JSON)
public class LockResource {
    private final LockService locks;
    private final AutoRenewals renewals;

    LockResource(LockService locks, AutoRenewals renewals) {
        this.locks = locks;
        this.renewals = renewals;
    }

    @POST
    @Path("/{name}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> acquire(@RestPath String name, AcquireBody body, @Context RoutingContext exchange) {
        var command = acquire(new LockName(name), owner(exchange, present(body).owner()), body);
        var acquired = autoRenewed(body) ? renewals.acquire(command) : locks.acquire(command);
        return acquired.map(at -> LockResponses.acquire(at.answer(), at.now()));
    }

    @POST
    @Path("/{name}/renew")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> renew(@RestPath String name, RenewBody body, @Context RoutingContext exchange) {
        var renewal = present(body);
        var owner = owner(exchange, renewal.owner());
        var lease = lease(name, renewal.lockId(), owner, renewal.fencingToken());
        return locks.renew(lease, Parameters.duration("ttl", renewal.ttl()))
                .map(at -> LockResponses.renew(lease, at.answer(), at.now()));
    }

    @DELETE
    @Path("/{name}")
    public Uni<Response> release(
            @RestPath String name,
            @RestQuery("lock_id") String lockId,
            @RestQuery String owner,
            @RestQuery String force,
            @BeanParam ForceParameters forced,
            @Context RoutingContext exchange) {
        var access = RequestAccess.of(exchange);
        if (Parameters.flag("force", force)) {
            // Without the grant force, a subject may end a lease of its own.
            var onlyOf = access.refusal(Action.FORCE, ResourceKind.LOCKS, name).flatMap(denied -> access.subject());
            leftOut("lock_id", lockId, "of a force release, which names fencing_token instead");
            leftOut("owner", owner, "of a force release, which names fencing_token instead");
            return forceRelease(new LockName(name), forced, onlyOf);
        }
        access.require(Action.ACQUIRE, ResourceKind.LOCKS, name);
        leftOut("reason", forced.reason(), "without force=true, to which it belongs");
        leftOut("lock_delay", forced.lockDelay(), "without force=true, to which it belongs");
        var token =
                optional(forced.fencingToken(), text -> Parameters.number("fencing_token", text, FencingToken.ALLOWED));
        var lease = lease(name, lockId, owner(exchange, owner), token.orElse(null));
        return locks.release(lease).map(at -> LockResponses.release(lease, at.answer(), at.now()));
    }

    @GET
    @Path("/{name}")
    public Uni<Response> get(@RestPath String name) {
        var wanted = new LockName(name);
        return locks.find(wanted).map(at -> LockResponses.find(wanted, at.answer(), at.now()));
    }

    @GET
    public Uni<Response> list(
            @RestQuery String status,
            @RestQuery String prefix,
            @RestQuery String owner,
            @RestQuery("lock_type") String lockType,
            @BeanParam PageParameters page,
            @Context RoutingContext exchange) {
        var access = RequestAccess.of(exchange);
        var shown = access.shown(ResourceKind.LOCKS);
        var asked = optional(prefix, text -> Text.namePrefix("prefix", text)).orElse("");
        var filter = new LockQuery.Filter(
                status(status),
                Optional.of(access.shownPrefix(ResourceKind.LOCKS, asked)).filter(narrow -> !narrow.isEmpty()),
                optional(owner, Owner::new),
                optional(lockType, LockType::of));
        return locks.list(filter, page.parsedLimit(), page.parsedCursor())
                .map(at -> LockResponses.list(
                        shown.of(at.answer(), record -> record.name().value()), at.now()));
    }

    /** Query parameters of a force release. */
    public record ForceParameters(
            @RestQuery("fencing_token") String fencingToken,
            @RestQuery String reason,
            @RestQuery("lock_delay") String lockDelay) {}

    private static void leftOut(String parameter, String value, String where) {
        if (value != null) {
            throw new InvalidInputException(parameter, "left out " + where);
        }
    }

    private Uni<Response> forceRelease(LockName name, ForceParameters forced, Optional<Subject> onlyOf) {
        var seen = new FencingToken(Parameters.number("fencing_token", forced.fencingToken(), FencingToken.ALLOWED));
        return locks.forceRelease(
                        name,
                        seen,
                        required("reason", forced.reason()),
                        Parameters.duration("lock_delay", forced.lockDelay()),
                        onlyOf)
                .map(at -> LockResponses.forceRelease(name, at.answer(), at.now()));
    }

    /** The owner on whose behalf a request asks. */
    static Owner owner(RoutingContext exchange, String name) {
        return new Owner(required("owner", name), RequestAccess.of(exchange).subject());
    }

    private static AcquireCommand acquire(LockName name, Owner owner, AcquireBody body) {
        return new AcquireCommand(name, owner, optional(body.lockId(), LockId::new), terms(body), labels(body));
    }

    static LeaseTerms terms(AcquireBody body) {
        return new LeaseTerms(
                Parameters.duration("ttl", body.ttl()),
                Parameters.duration("wait", body.waitFor()),
                Parameters.duration("max_hold", body.maxHold()));
    }

    static Labels labels(AcquireBody body) {
        return new Labels(
                optional(body.lockType(), LockType::of).orElse(LockType.GENERIC),
                Optional.ofNullable(body.userEmail()),
                body.metadata() == null ? Map.of() : body.metadata());
    }

    static boolean autoRenewed(AcquireBody body) {
        var renewed = Boolean.TRUE.equals(body.autoRenew());
        if (!renewed && body.maxHold() != null) {
            throw new InvalidInputException("max_hold", "left out without auto_renew, which it bounds");
        }
        return renewed;
    }

    /** @param token null if the request has none */
    static LeaseClaim lease(String name, String lockId, Owner owner, Long token) {
        var ref = new LeaseRef(new LockName(name), new LockId(required("lock_id", lockId)), owner);
        return LeaseClaim.of(ref).withToken(Optional.ofNullable(token).map(FencingToken::new));
    }

    private static Optional<LockStatus> status(String text) {
        return switch (text) {
            case null -> Optional.of(LockStatus.ACTIVE);
            case "active" -> Optional.of(LockStatus.ACTIVE);
            case "expired" -> Optional.of(LockStatus.EXPIRED);
            case "released" -> Optional.of(LockStatus.RELEASED);
            case "all" -> Optional.empty();
            default -> throw new InvalidInputException("status", "one of active, expired, released, all");
        };
    }
}
