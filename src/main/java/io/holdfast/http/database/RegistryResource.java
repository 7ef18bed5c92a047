package io.holdfast.http.database;

import static io.holdfast.http.edge.Parameters.present;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.PageParameters;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.database.PutAppBody;
import io.holdfast.http.wire.database.PutDatabaseBody;
import io.holdfast.power.PowerService;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryService;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.EnumSet;
import java.util.Set;
import org.jboss.resteasy.reactive.RestPath;

@Path("/v1")
@Produces(MediaType.APPLICATION_JSON)
public class RegistryResource {
    private static final Set<Action> LINKING = EnumSet.of(Action.REGISTER, Action.STOP, Action.START);

    private final RegistryService registry;
    private final PowerService power;

    RegistryResource(RegistryService registry, PowerService power) {
        this.registry = registry;
        this.power = power;
    }

    @PUT
    @Path("/databases/{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> putDatabase(@RestPath String id, PutDatabaseBody body) {
        var database = RegistryInput.database(new DatabaseId(id), present(body));
        return registry.putDatabase(database).map(outcome -> RegistryResponses.put(database, outcome));
    }

    @GET
    @Path("/databases/{id}")
    public Uni<Response> getDatabase(@RestPath String id) {
        var wanted = new DatabaseId(id);
        return power.overview(wanted).map(found -> RegistryResponses.find(wanted, found));
    }

    @DELETE
    @Path("/databases/{id}")
    public Uni<Response> removeDatabase(@RestPath String id) {
        var wanted = new DatabaseId(id);
        return registry.removeDatabase(wanted).map(outcome -> RegistryResponses.removed(wanted, outcome));
    }

    @GET
    @Path("/databases")
    public Uni<Response> listDatabases(@BeanParam PageParameters page, @Context RoutingContext exchange) {
        var shown = RequestAccess.of(exchange).shown(ResourceKind.DATABASES);
        return registry.listDatabases(page.parsedLimit(), page.parsedCursor())
                .map(found -> RegistryResponses.listDatabases(
                        shown.of(found, database -> database.id().value())));
    }

    @PUT
    @Path("/apps/{app}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> putApp(@RestPath String app, PutAppBody body, @Context RoutingContext exchange) {
        var wanted = RegistryInput.app(new AppName(app), present(body));
        requireLinks(RequestAccess.of(exchange), wanted);
        return registry.putApp(wanted).map(outcome -> RegistryResponses.put(wanted, outcome));
    }

    /** A link keeps a database up. So it needs more on the database than to read it. */
    private static void requireLinks(RequestAccess access, App app) {
        for (var database : app.databases()) {
            if (LINKING.stream().noneMatch(action -> access.allows(action, ResourceKind.DATABASES, database.value()))) {
                access.require(Action.REGISTER, ResourceKind.DATABASES, database.value());
            }
        }
    }

    @GET
    @Path("/apps/{app}")
    public Uni<Response> getApp(@RestPath String app) {
        var wanted = new AppName(app);
        return registry.findApp(wanted).map(found -> RegistryResponses.find(wanted, found));
    }

    @DELETE
    @Path("/apps/{app}")
    public Uni<Response> removeApp(@RestPath String app) {
        var wanted = new AppName(app);
        return registry.removeApp(wanted).map(outcome -> RegistryResponses.removed(wanted, outcome));
    }

    @GET
    @Path("/apps")
    public Uni<Response> listApps(@BeanParam PageParameters page, @Context RoutingContext exchange) {
        var shown = RequestAccess.of(exchange).shown(ResourceKind.APPS);
        return registry.listApps(page.parsedLimit(), page.parsedCursor())
                .map(found -> RegistryResponses.listApps(
                        shown.of(found, app -> app.name().value())));
    }
}
