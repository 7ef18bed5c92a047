package io.holdfast.http.database;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.Parameters;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.database.BrakeBody;
import io.holdfast.http.wire.database.DecisionBody;
import io.holdfast.http.wire.database.DecisionsBody;
import io.holdfast.http.wire.database.PauseBody;
import io.holdfast.http.wire.database.StartBody;
import io.holdfast.http.wire.database.StopBody;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.Text;
import io.holdfast.power.PowerService;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.server.Cancellable;

/** A stop or start continues when its caller disconnects. */
@Path("/v1")
@Produces(MediaType.APPLICATION_JSON)
@Cancellable(false)
public class PowerResource {
    private static final int LIMIT_DEFAULT = 50;
    private static final int LIMIT_MAX = 500;
    private static final int REASON_LENGTH_MAX = 256;
    private static final Set<Result> READY = Set.of(Result.RUNNING, Result.STARTED);

    private final PowerService power;

    PowerResource(PowerService power) {
        this.power = power;
    }

    @POST
    @Path("/apps/{app}/stop")
    public Uni<Response> stop(
            @RestPath String app, @RestQuery("dry_run") String dryRun, @Context RoutingContext exchange) {
        var name = new AppName(app);
        var dry = Parameters.flag("dry_run", dryRun);
        return power.stop(name, dry, allowed(exchange, Action.STOP))
                .map(found -> answer(name, found, results -> new StopBody(app, dry, bodies(results))));
    }

    @POST
    @Path("/apps/{app}/start")
    public Uni<Response> start(@RestPath String app, @Context RoutingContext exchange) {
        var name = new AppName(app);
        return power.start(name, allowed(exchange, Action.START))
                .map(found -> answer(name, found, results -> {
                    var ready = results.stream().allMatch(decision -> READY.contains(decision.result()));
                    return new StartBody(app, ready, bodies(results));
                }));
    }

    @GET
    @Path("/databases/{id}/decisions")
    public Uni<Response> decisions(@RestPath String id, @RestQuery String limit, @RestQuery String cursor) {
        var database = new DatabaseId(id);
        var wanted =
                optional(limit, text -> Parameters.smallNumber("limit", text)).orElse(LIMIT_DEFAULT);
        if (wanted < 1 || wanted > LIMIT_MAX) {
            throw new InvalidInputException("limit", "a whole number from 1 to " + LIMIT_MAX);
        }
        return power.decisions(database, wanted, optional(cursor, Cursor::parse))
                .map(found ->
                        found.map(PowerResource::page).orElseGet(() -> DatabaseProblems.noSuchDatabase(database)));
    }

    @GET
    @Path("/brake")
    public Uni<BrakeBody> brake() {
        return power.brake().map(this::body);
    }

    @PUT
    @Path("/brake")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<BrakeBody> brake(PauseBody body) {
        if (body == null || body.paused() == null) {
            throw new InvalidInputException("paused", "true or false");
        }
        var reason = body.paused()
                ? Optional.of(Text.reason("reason", required("reason", body.reason()), REASON_LENGTH_MAX))
                : Optional.<String>empty();
        return power.pause(reason).chain(power::brake).map(this::body);
    }

    /** Also on each database: otherwise a subject could link an app of its own to a database and stop it. */
    private static Consumer<Set<DatabaseId>> allowed(RoutingContext exchange, Action action) {
        var access = RequestAccess.of(exchange);
        return databases -> databases.forEach(id -> access.require(action, ResourceKind.DATABASES, id.value()));
    }

    private BrakeBody body(Brake brake) {
        var hourAgo = power.now().minus(Duration.ofHours(1));
        var recent = brake.stops().stream().filter(hourAgo::isBefore).count();
        return new BrakeBody(brake.paused().isPresent(), brake.paused().orElse(null), recent);
    }

    private static Response answer(AppName app, Optional<List<Decision>> found, Function<List<Decision>, Object> body) {
        return found.map(results -> Response.ok(body.apply(results)).build())
                .orElseGet(() -> DatabaseProblems.noSuchApp(app));
    }

    private static Response page(Page<Decision> page) {
        return Response.ok(new DecisionsBody(
                        bodies(page.items()), page.next().map(Cursor::text).orElse(null)))
                .build();
    }

    private static List<DecisionBody> bodies(List<Decision> decisions) {
        return decisions.stream().map(DatabaseBodies::of).toList();
    }
}
