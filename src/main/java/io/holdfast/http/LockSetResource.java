package io.holdfast.http;

import static io.holdfast.http.Parameters.optional;
import static io.holdfast.http.Parameters.required;

import io.holdfast.http.wire.AcquireAllBody;
import io.holdfast.http.wire.LockSetBody;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.http.wire.ReleaseAllBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.set.LockSetService;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;

/** Several locks at once: all of them, or none. */
@Path("/v1/locks")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Locks", description = "Leases with fencing tokens")
@APIResponse(
        responseCode = "400",
        description = "invalid-input: nothing was changed",
        content = @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
@APIResponse(
        responseCode = "503",
        description = "store-unavailable: it may or may not have happened; ask again with the same lock_id",
        content = @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
public class LockSetResource {
    private static final String SEPARATOR = ",";

    private final LockSetService sets;

    LockSetResource(LockSetService sets) {
        this.sets = sets;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "acquireAll", summary = "Take several locks, all of them or none")
    @APIResponse(
            responseCode = "201",
            description = "They are yours",
            content = @Content(schema = @Schema(implementation = LockSetBody.class)))
    @APIResponse(
            responseCode = "200",
            description = "They were all yours already: the same leases",
            content = @Content(schema = @Schema(implementation = LockSetBody.class)))
    @APIResponse(
            responseCode = "409",
            description = "lock-conflict: one is held by another, and none is taken",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    @APIResponse(
            responseCode = "429",
            description = "queue-full: too many wait already, and none is taken",
            content =
                    @Content(mediaType = ProblemBody.MEDIA_TYPE, schema = @Schema(implementation = ProblemBody.class)))
    public Uni<Response> acquire(AcquireAllBody body) {
        var all = LockResource.present(body);
        var each = all.each();
        var command = new LockSetService.AcquireAll(
                names(all.names()),
                new Owner(required("owner", all.owner())),
                Optional.of(optional(all.lockId(), LockId::new).orElseGet(LockId::random)),
                LockResource.terms(each),
                LockResource.labels(each));
        var acquired = LockResource.autoRenewed(each) ? sets.acquireRenewed(command) : sets.acquire(command);
        return acquired.map(at -> LockAnswers.acquireAll(command, at.answer(), at.now()));
    }

    @DELETE
    @Operation(
            operationId = "releaseAll",
            summary = "Give several locks back",
            description = "Each by itself: one that is gone or another's is left as it is.")
    @APIResponse(
            responseCode = "200",
            description = "What became of each",
            content = @Content(schema = @Schema(implementation = ReleaseAllBody.class)))
    public Uni<Response> release(
            @Parameter(description = "Their names with commas between them", example = "dns-prod,terraform-prod")
                    @RestQuery
                    String names,
            @RestQuery("lock_id") String lockId,
            @RestQuery String owner) {
        var all = names(List.of(required("names", names).split(SEPARATOR, -1)));
        return sets.release(all, new LockId(required("lock_id", lockId)), new Owner(required("owner", owner)))
                .map(at -> LockAnswers.releaseAll(all, at.answer()));
    }

    private static LockSetService.Names names(List<String> names) {
        if (names == null) {
            throw new InvalidInputException("names", "given");
        }
        return new LockSetService.Names(
                names.stream().map(LockSetResource::name).toList());
    }

    private static LockName name(String text) {
        try {
            return new LockName(text);
        } catch (InvalidInputException e) {
            throw new InvalidInputException("names", "names of " + e.allowed());
        }
    }
}
