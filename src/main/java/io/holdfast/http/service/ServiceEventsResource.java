package io.holdfast.http.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.AccessWatch;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.kernel.Text;
import io.holdfast.lifecycle.LifecycleService;
import io.holdfast.lifecycle.feed.TooManyReadersException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;

/** The moves of services as they happen. */
@Path("/v1/services")
public class ServiceEventsResource {
    private final LifecycleService services;
    private final AccessWatch watch;
    private final ObjectMapper json;

    ServiceEventsResource(LifecycleService services, AccessWatch watch, ObjectMapper json) {
        this.services = services;
        this.watch = watch;
        this.json = json;
    }

    @GET
    @Path("/events")
    @Produces({MediaType.SERVER_SENT_EVENTS, MediaType.APPLICATION_JSON})
    public Uni<Response> events(
            @RestQuery String prefix,
            @RestHeader(ServiceInput.LAST_EVENT_HEADER) String lastEventHeader,
            @RestQuery(ServiceInput.LAST_EVENT_PARAMETER) String lastEventParameter,
            @Context RoutingContext exchange) {
        if (exchange.request().method().equals(HttpMethod.HEAD)) {
            // The stream has no end, so its headers alone have none either.
            throw new NotAllowedException("GET");
        }
        var wanted = Text.namePrefix("prefix", prefix == null ? "" : prefix);
        var after = ServiceInput.position(lastEventHeader, lastEventParameter);
        // Emits only a refusal. Otherwise the stream is the response; when its connection ends, this is cancelled.
        return Uni.createFrom()
                .<Response>emitter(answer -> {
                    var stream = new EventStream(services, new EventText(json, wanted), exchange, answer);
                    answer.onTermination(stream::close);
                    var access = RequestAccess.of(exchange);
                    var watched = watch.watch(
                            access, () -> access.refusalOfAll(Action.READ, ResourceKind.SERVICES), stream::end);
                    exchange.addEndHandler(end -> {
                        watched.stop();
                        stream.close();
                    });
                    stream.start(after);
                })
                .onFailure(TooManyReadersException.class)
                .recoverWithItem(ServiceProblems::tooManyReaders);
    }
}
