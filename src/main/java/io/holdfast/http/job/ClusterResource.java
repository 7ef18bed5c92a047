package io.holdfast.http.job;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.present;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.PageParameters;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.job.CreateClusterBody;
import io.holdfast.http.wire.job.SubmitJobBody;
import io.holdfast.job.JobService;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.kernel.Text;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.server.Cancellable;

/** A change continues when its caller disconnects, so that waiting workers and the log learn of it. */
@Path("/v1/clusters")
@Produces(MediaType.APPLICATION_JSON)
@Cancellable(false)
public class ClusterResource {
    private final JobService jobs;

    ClusterResource(JobService jobs) {
        this.jobs = jobs;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> create(CreateClusterBody body, @Context RoutingContext exchange) {
        var wanted = JobInput.cluster(present(body));
        // An id that the service makes begins with nothing that a grant could name, but the empty prefix.
        var name = wanted.id().map(ClusterId::value).orElse("");
        RequestAccess.of(exchange).require(Action.SUBMIT, ResourceKind.CLUSTERS, name);
        return jobs.create(wanted).map(outcome -> JobResponses.create(wanted, outcome));
    }

    @GET
    @Path("/{id}")
    public Uni<Response> get(@RestPath String id) {
        var wanted = new ClusterId(id);
        return jobs.findCluster(wanted).map(found -> JobResponses.find(wanted, found));
    }

    @GET
    public Uni<Response> list(
            @RestQuery String status,
            @RestQuery String prefix,
            @BeanParam PageParameters page,
            @Context RoutingContext exchange) {
        var access = RequestAccess.of(exchange);
        var shown = access.shown(ResourceKind.CLUSTERS);
        var asked = Text.namePrefix("prefix", prefix == null ? "" : prefix);
        var narrowed = access.shownPrefix(ResourceKind.CLUSTERS, asked);
        var wanted = optional(status, text -> ClusterStatus.of("status", text));
        return jobs.listClusters(wanted, narrowed, page.parsedLimit(), page.parsedCursor())
                .map(found -> JobResponses.listClusters(
                        shown.of(found, cluster -> cluster.id().value())));
    }

    @POST
    @Path("/{id}/jobs")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> submit(@RestPath String id, SubmitJobBody body) {
        var cluster = new ClusterId(id);
        var wanted = JobInput.job(present(body));
        return jobs.submit(cluster, wanted)
                .map(outcome -> JobResponses.submit(cluster, wanted.type(), outcome, jobs.now()));
    }
}
