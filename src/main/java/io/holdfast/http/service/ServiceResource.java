package io.holdfast.http.service;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.present;

import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.PageParameters;
import io.holdfast.http.edge.Parameters;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.service.DeployServiceBody;
import io.holdfast.http.wire.service.DeploymentResultBody;
import io.holdfast.http.wire.service.PutServiceBody;
import io.holdfast.http.wire.service.PutStatusBody;
import io.holdfast.http.wire.service.RemovedBody;
import io.holdfast.kernel.Text;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lifecycle.LifecycleService;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.port.WriteOutcome;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.server.Cancellable;

/** A change continues when its caller disconnects, so that its lock is released and the log learns of it. */
@Path("/v1/services")
@Produces(MediaType.APPLICATION_JSON)
@Cancellable(false)
public class ServiceResource {
    private final LifecycleService services;

    ServiceResource(LifecycleService services) {
        this.services = services;
    }

    @PUT
    @Path("/{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> put(@RestPath String id, PutServiceBody body) {
        return services.put(new ServiceId(id), ServiceInput.spec(present(body)))
                .map(outcome -> ServiceResponses.put(outcome, services.now()));
    }

    @GET
    @Path("/{id}")
    public Uni<Response> get(@RestPath String id) {
        var wanted = new ServiceId(id);
        return services.find(wanted).map(found -> ServiceResponses.find(wanted, found));
    }

    @GET
    public Uni<Response> list(
            @RestQuery String status,
            @RestQuery String prefix,
            @BeanParam PageParameters page,
            @Context RoutingContext exchange) {
        var access = RequestAccess.of(exchange);
        var shown = access.shown(ResourceKind.SERVICES);
        var wanted = optional(status, text -> ServiceStatus.of("status", text));
        var asked = Text.namePrefix("prefix", prefix == null ? "" : prefix);
        var narrowed = access.shownPrefix(ResourceKind.SERVICES, asked);
        return services.list(wanted, narrowed, page.parsedLimit(), page.parsedCursor())
                .map(at -> new Timestamped<>(
                        shown.of(at.answer(), service -> service.id().value()), at.now()))
                .map(ServiceResponses::list);
    }

    @DELETE
    @Path("/{id}")
    public Uni<Response> remove(@RestPath String id) {
        var wanted = new ServiceId(id);
        return services.remove(wanted)
                .map(outcome ->
                        ServiceResponses.write(wanted, outcome, services.now(), service -> new RemovedBody(true)));
    }

    @POST
    @Path("/{id}/deploy")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> deploy(@RestPath String id, DeployServiceBody body) {
        var wanted = new ServiceId(id);
        return services.deploy(
                        wanted,
                        optional(present(body).deploymentId(), DeploymentId::new),
                        Optional.ofNullable(body.reason()),
                        Parameters.duration("deadline", body.deadline()),
                        Optional.empty())
                .map(outcome -> {
                    var now = services.now();
                    return ServiceResponses.write(
                            wanted, outcome, now, service -> ServiceBodies.deployed(service, now));
                });
    }

    @POST
    @Path("/{id}/result")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> report(@RestPath String id, DeploymentResultBody body) {
        var wanted = new ServiceId(id);
        return services.report(wanted, ServiceInput.report(present(body))).map(outcome -> status(wanted, outcome));
    }

    @PUT
    @Path("/{id}/status")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> set(@RestPath String id, PutStatusBody body) {
        var wanted = new ServiceId(id);
        return services.set(
                        wanted,
                        ServiceInput.status(present(body).status()),
                        Optional.ofNullable(body.reason()),
                        ServiceInput.version("if_version", Optional.ofNullable(body.ifVersion())))
                .map(outcome -> status(wanted, outcome));
    }

    private Response status(ServiceId id, WriteOutcome outcome) {
        var now = services.now();
        return ServiceResponses.write(id, outcome, now, service -> ServiceBodies.of(service, now));
    }

    @GET
    @Path("/{id}/history")
    public Uni<Response> history(@RestPath String id, @BeanParam PageParameters page) {
        var wanted = new ServiceId(id);
        return services.history(wanted, page.parsedLimit(), page.parsedCursor())
                .map(found -> ServiceResponses.history(wanted, found));
    }
}
