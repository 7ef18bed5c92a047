package io.holdfast.http.lock;

import static io.holdfast.http.edge.Parameters.optional;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.AccessWatch;
import io.holdfast.http.edge.ChangesOnGet;
import io.holdfast.http.edge.Parameters;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.lock.HeartbeatBody;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.hold.AutoRenewals;
import io.holdfast.lock.hold.Hold;
import io.holdfast.lock.hold.HoldService;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Leases that the service renews: while a connection lasts, or while heartbeats come. */
@Path("/v1/locks")
public class HoldResource implements ChangesOnGet {
    private final HoldService holds;
    private final AutoRenewals renewals;
    private final AccessWatch watch;
    private final ObjectMapper json;

    HoldResource(HoldService holds, AutoRenewals renewals, AccessWatch watch, ObjectMapper json) {
        this.holds = holds;
        this.renewals = renewals;
        this.watch = watch;
        this.json = json;
    }

    /** Query parameters of a hold. */
    public record HoldParameters(
            @RestQuery String ttl,
            @RestQuery("wait") String waitFor,
            @RestQuery("max_hold") String maxHold,
            @RestQuery String linger,
            @RestQuery String padding) {
        LeaseTerms parsed() {
            return new LeaseTerms(
                    Parameters.duration("ttl", ttl),
                    Parameters.duration("wait", waitFor),
                    Parameters.duration("max_hold", maxHold));
        }
    }

    @GET
    @Path("/{name}/hold")
    @Produces({MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON})
    public Uni<Response> hold(
            @RestPath String name,
            @RestQuery String owner,
            @RestQuery("lock_id") String lockId,
            @BeanParam HoldParameters parameters,
            @Context RoutingContext exchange) {
        if (exchange.request().method().equals(HttpMethod.HEAD)) {
            // A HEAD request would acquire the lock without a response to hold it.
            throw new NotAllowedException("GET");
        }
        var command = new AcquireCommand(
                new LockName(name),
                LockResource.owner(exchange, owner),
                optional(lockId, LockId::new),
                parameters.parsed(),
                Labels.NONE);
        var linger = Parameters.duration("linger", parameters.linger());
        var padding = Parameters.flag("padding", parameters.padding());
        // Emits only a refusal. After a grant the stream is the response; when its connection ends, this is
        // cancelled.
        return Uni.createFrom().emitter(answer -> {
            var stream = new HoldStream(json, exchange, padding, answer);
            var hold = holds.hold(command, linger, stream);
            var watched = watch(exchange, command.name(), hold, stream);
            answer.onTermination(hold::close);
            exchange.addEndHandler(end -> {
                watched.stop();
                hold.close();
            });
        });
    }

    private AccessWatch.Watch watch(RoutingContext exchange, LockName name, Hold hold, HoldStream stream) {
        var caller = RequestAccess.of(exchange);
        return watch.watch(caller, () -> caller.refusal(Action.ACQUIRE, ResourceKind.LOCKS, name.value()), end -> {
            var cause =
                    switch (end.cause()) {
                        case UNAUTHENTICATED -> LeaseLoss.Cause.UNAUTHENTICATED;
                        case FORBIDDEN -> LeaseLoss.Cause.FORBIDDEN;
                    };
            if (hold.revoke(new LeaseLoss(cause, end.detail()))) {
                stream.ended(end);
            }
        });
    }

    @POST
    @Path("/{name}/heartbeat")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public Uni<Response> heartbeat(@RestPath String name, HeartbeatBody body, @Context RoutingContext exchange) {
        var beat = Parameters.present(body);
        var owner = LockResource.owner(exchange, beat.owner());
        var lease = LockResource.lease(name, beat.lockId(), owner, beat.fencingToken());
        return renewals.heartbeat(lease).map(at -> LockResponses.heartbeat(lease, at.answer(), at.now()));
    }
}
