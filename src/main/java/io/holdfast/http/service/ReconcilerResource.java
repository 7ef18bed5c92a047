package io.holdfast.http.service;

import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.http.wire.database.PauseBody;
import io.holdfast.http.wire.service.ReconciliationBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lifecycle.LifecycleService;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.Cancellable;

/** The pause of the reconciler of services. */
@Path("/v1/reconciliation")
@Produces(MediaType.APPLICATION_JSON)
@Cancellable(false)
public class ReconcilerResource {
    private final LifecycleService services;

    ReconcilerResource(LifecycleService services) {
        this.services = services;
    }

    @GET
    public Uni<ReconciliationBody> get() {
        return services.reconcilerPause().map(ReconcilerResource::body);
    }

    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<ReconciliationBody> put(PauseBody body) {
        if (body == null || body.paused() == null) {
            throw new InvalidInputException("paused", "true or false");
        }
        var reason = body.paused() ? Optional.of(required("reason", body.reason())) : Optional.<String>empty();
        return services.pauseReconciler(reason).chain(services::reconcilerPause).map(ReconcilerResource::body);
    }

    private static ReconciliationBody body(Optional<String> reason) {
        return new ReconciliationBody(reason.isPresent(), reason.orElse(null));
    }
}
