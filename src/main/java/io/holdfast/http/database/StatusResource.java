package io.holdfast.http.database;

import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.http.wire.Times;
import io.holdfast.http.wire.database.QuickStatusBody;
import io.holdfast.power.port.AppProbe;
import io.holdfast.power.port.QuickProbe;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.RegistryStore;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.InstantSource;
import org.jboss.resteasy.reactive.RestQuery;

@Path("/status")
@Produces(MediaType.APPLICATION_JSON)
public class StatusResource {
    private final RegistryStore registry;
    private final QuickProbe probe;
    private final InstantSource clock;

    StatusResource(RegistryStore registry, QuickProbe probe, InstantSource clock) {
        this.registry = registry;
        this.probe = probe;
        this.clock = clock;
    }

    @GET
    @Path("/quick")
    public Uni<Response> quick(@RestQuery String app) {
        var name = new AppName(required("app", app));
        return registry.findApp(name).chain(found -> found.map(this::look)
                .orElseGet(() -> Uni.createFrom().item(DatabaseProblems.noSuchApp(name))));
    }

    private Uni<Response> look(App app) {
        return probe.probeOnce(app.sharer())
                .map(seen -> Response.ok(body(app, seen)).build());
    }

    private QuickStatusBody body(App app, AppProbe.Result seen) {
        return new QuickStatusBody(
                app.name().value(), seen.status().name(), seen.httpCode().orElse(null), Times.text(clock.instant()));
    }
}
