package io.holdfast.http;

import static io.holdfast.http.LockResource.present;

import io.holdfast.http.LockResource.PageParameters;
import io.holdfast.http.wire.AppBody;
import io.holdfast.http.wire.AppsBody;
import io.holdfast.http.wire.DatabaseBody;
import io.holdfast.http.wire.DatabasesBody;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.http.wire.PutAppBody;
import io.holdfast.http.wire.PutDatabaseBody;
import io.holdfast.power.PowerService;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryService;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

@Path("/v1")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Shared databases", description = "Which apps use which databases, and what stops and starts them")
@APIResponse(
        responseCode = "400",
        description = "invalid-input: nothing was changed",
        content = @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
@APIResponse(
        responseCode = "503",
        description = "store-unavailable: a read has changed nothing, a change may have happened; ask again",
        content = @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
public class RegistryResource {
    private final RegistryService registry;
    private final PowerService power;

    RegistryResource(RegistryService registry, PowerService power) {
        this.registry = registry;
        this.power = power;
    }

    @PUT
    @Path("/databases/{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "putDatabase", summary = "Register a database, or change how it is registered")
    @APIResponse(
            responseCode = "201",
            description = "Registered",
            content = @Content(schema = @Schema(implementation = DatabaseBody.class)))
    @APIResponse(
            responseCode = "200",
            description = "Changed; its links stay",
            content = @Content(schema = @Schema(implementation = DatabaseBody.class)))
    @APIResponse(
            responseCode = "409",
            description = "order-pending: its actuator cannot be changed while it is being stopped or started",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    public Uni<Response> putDatabase(
            @Parameter(
                            description = "Its ec2_instance_id if it has one, else host:port; percent-encoded",
                            example = "db.example:5432")
                    @RestPath
                    String id,
            PutDatabaseBody body) {
        var database = RegistryInput.database(new DatabaseId(id), present(body));
        return registry.putDatabase(database).map(outcome -> RegistryAnswers.put(database, outcome));
    }

    @GET
    @Path("/databases/{id}")
    @Operation(operationId = "getDatabase", summary = "Look at one database and who shares it")
    @APIResponse(
            responseCode = "200",
            description = "The database",
            content = @Content(schema = @Schema(implementation = DatabaseBody.class)))
    @APIResponse(
            responseCode = "404",
            description = "not-found",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    public Uni<Response> getDatabase(@RestPath String id) {
        var wanted = new DatabaseId(id);
        return power.overview(wanted).map(found -> RegistryAnswers.find(wanted, found));
    }

    @DELETE
    @Path("/databases/{id}")
    @Operation(operationId = "removeDatabase", summary = "Forget a database that no app uses")
    @APIResponse(responseCode = "204", description = "Removed")
    @APIResponse(
            responseCode = "404",
            description = "not-found",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    @APIResponse(
            responseCode = "409",
            description = "database-in-use: apps still use it; or order-pending: it is being stopped or started",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    public Uni<Response> removeDatabase(@RestPath String id) {
        var wanted = new DatabaseId(id);
        return registry.removeDatabase(wanted).map(outcome -> RegistryAnswers.removed(wanted, outcome));
    }

    @GET
    @Path("/databases")
    @Operation(operationId = "listDatabases", summary = "List databases")
    @APIResponse(
            responseCode = "200",
            description = "A page of databases",
            content = @Content(schema = @Schema(implementation = DatabasesBody.class)))
    public Uni<Response> listDatabases(@BeanParam PageParameters page) {
        return registry.listDatabases(page.parsedLimit(), page.parsedCursor()).map(RegistryAnswers::listDatabases);
    }

    @PUT
    @Path("/apps/{app}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "putApp",
            summary = "Register an app with the databases it uses, or change it",
            description = "The list of databases replaces the one before. Databases that are not registered are refused"
                    + " with `invalid-input`, and nothing is changed.")
    @APIResponse(
            responseCode = "201",
            description = "Registered",
            content = @Content(schema = @Schema(implementation = AppBody.class)))
    @APIResponse(
            responseCode = "200",
            description = "Changed",
            content = @Content(schema = @Schema(implementation = AppBody.class)))
    public Uni<Response> putApp(
            @Parameter(description = "The app's name, percent-encoded", example = "billing") @RestPath String app,
            PutAppBody body) {
        var wanted = RegistryInput.app(new AppName(app), present(body));
        return registry.putApp(wanted).map(outcome -> RegistryAnswers.put(wanted, outcome));
    }

    @GET
    @Path("/apps/{app}")
    @Operation(operationId = "getApp", summary = "Look at one app")
    @APIResponse(
            responseCode = "200",
            description = "The app",
            content = @Content(schema = @Schema(implementation = AppBody.class)))
    @APIResponse(
            responseCode = "404",
            description = "not-found",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    public Uni<Response> getApp(@RestPath String app) {
        var wanted = new AppName(app);
        return registry.findApp(wanted).map(found -> RegistryAnswers.find(wanted, found));
    }

    @DELETE
    @Path("/apps/{app}")
    @Operation(operationId = "removeApp", summary = "Forget an app and its links")
    @APIResponse(responseCode = "204", description = "Removed")
    @APIResponse(
            responseCode = "404",
            description = "not-found",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    public Uni<Response> removeApp(@RestPath String app) {
        var wanted = new AppName(app);
        return registry.removeApp(wanted).map(outcome -> RegistryAnswers.removed(wanted, outcome));
    }

    @GET
    @Path("/apps")
    @Operation(operationId = "listApps", summary = "List apps")
    @APIResponse(
            responseCode = "200",
            description = "A page of apps",
            content = @Content(schema = @Schema(implementation = AppsBody.class)))
    public Uni<Response> listApps(@BeanParam PageParameters page) {
        return registry.listApps(page.parsedLimit(), page.parsedCursor()).map(RegistryAnswers::listApps);
    }
}
