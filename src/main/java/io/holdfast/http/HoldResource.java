package io.holdfast.http;

import static io.holdfast.http.Parameters.optional;
import static io.holdfast.http.Parameters.required;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.wire.HeartbeatBody;
import io.holdfast.http.wire.LockBody;
import io.holdfast.http.wire.LostBody;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.http.wire.TickBody;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.hold.AutoRenewals;
import io.holdfast.lock.hold.HoldService;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Leases that the service keeps alive: as long as a connection lives, or as long as heartbeats come. */
@Path("/v1/locks")
@Tag(name = "Locks", description = "Leases with fencing tokens")
@APIResponse(
        responseCode = "400",
        description = "invalid-input: nothing was changed",
        content = @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
@APIResponse(
        responseCode = "429",
        description = "queue-full: this replica keeps too many already",
        content = @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
@APIResponse(
        responseCode = "503",
        description = "store-unavailable: it may or may not have happened; ask again with the same lock_id",
        content = @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
public class HoldResource {
    private final HoldService holds;
    private final AutoRenewals renewals;
    private final ObjectMapper json;

    HoldResource(HoldService holds, AutoRenewals renewals, ObjectMapper json) {
        this.holds = holds;
        this.renewals = renewals;
        this.json = json;
    }

    /** How a lock is to be held. */
    public record HoldParameters(
            @Parameter(description = "How long the lease lasts if the service dies, 1s to 24h; 60s if absent")
                    @RestQuery
                    String ttl,
            @Parameter(description = "How long to stand in line while another holds it, up to 5m") @RestQuery("wait")
                    String waitFor,
            @Parameter(description = "How long to hold it at most; as long as the connection lives if absent")
                    @RestQuery("max_hold")
                    String maxHold,
            @Parameter(
                            description = "How long the lock stays yours after the connection ends, for you to hold it"
                                    + " again: up to a third of ttl; not at all if absent")
                    @RestQuery
                    String linger,
            @Parameter(
                            description = "Whether each tick comes with 8 KB of comments, so that a client that is cut"
                                    + " off or does not read is noticed within its lease; true or false",
                            schema = @Schema(defaultValue = "false"))
                    @RestQuery
                    String padding) {
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
    @Operation(
            operationId = "hold",
            summary = "Hold a lock for as long as the connection lives",
            description = "The stream begins with the event `acquired` (data: Lock), goes on with `tick` (data: Tick)"
                    + " and ends with `lost` (data: Lost) if the lock is lost. Close the connection to give it back.")
    @APIResponse(
            responseCode = "200",
            description = "It is yours, until `lost` comes or the connection ends",
            content = {
                @Content(
                        mediaType = MediaType.SERVER_SENT_EVENTS,
                        schema = @Schema(oneOf = {LockBody.class, TickBody.class, LostBody.class}))
            })
    @APIResponse(
            responseCode = "409",
            description = "lock-conflict: held by another; the header Retry-After says until when at the latest",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    public Uni<Response> hold(
            @RestPath String name,
            @Parameter(description = "Who wants the lock", required = true, example = "execution-abc123") @RestQuery
                    String owner,
            @Parameter(description = "Your idempotency key, a UUID") @RestQuery("lock_id") String lockId,
            @BeanParam HoldParameters parameters,
            @Context RoutingContext exchange) {
        if (exchange.request().method().equals(HttpMethod.HEAD)) {
            // It would take the lock, and nobody could be told.
            throw new NotAllowedException("GET");
        }
        var command = new AcquireCommand(
                new LockName(name),
                new Owner(required("owner", owner)),
                optional(lockId, LockId::new),
                parameters.parsed(),
                Labels.NONE);
        var linger = Parameters.duration("linger", parameters.linger());
        var padding = Parameters.flag("padding", parameters.padding());
        // Answered only if it is refused. Otherwise the stream is the answer, and the end of its connection cancels
        // this.
        return Uni.createFrom().emitter(answer -> {
            var hold = holds.hold(command, linger, new HoldStream(json, exchange, padding, answer));
            answer.onTermination(hold::close);
            exchange.addEndHandler(end -> hold.close());
        });
    }

    @POST
    @Path("/{name}/heartbeat")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "heartbeat", summary = "Say that the holder of an auto-renewed lease lives")
    @APIResponse(
            responseCode = "200",
            description = "Heard; the lease goes on",
            content = @Content(schema = @Schema(implementation = LockBody.class)))
    @APIResponse(
            responseCode = "404",
            description = "lock-not-held: expired, released or taken away",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    public Uni<Response> heartbeat(@RestPath String name, HeartbeatBody body) {
        var beat = LockResource.present(body);
        var lease = LockResource.lease(name, beat.lockId(), beat.owner(), beat.fencingToken());
        return renewals.heartbeat(lease).map(at -> LockAnswers.heartbeat(lease, at.answer(), at.now()));
    }
}
