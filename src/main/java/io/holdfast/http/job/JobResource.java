package io.holdfast.http.job;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.present;
import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.access.model.Action;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.PageParameters;
import io.holdfast.http.edge.Parameters;
import io.holdfast.http.edge.RequestAccess;
import io.holdfast.http.wire.job.CancelJobBody;
import io.holdfast.http.wire.job.ClaimJobBody;
import io.holdfast.http.wire.job.CompleteJobBody;
import io.holdfast.http.wire.job.FailJobBody;
import io.holdfast.http.wire.job.JobHeartbeatBody;
import io.holdfast.http.wire.job.RetryJobBody;
import io.holdfast.job.JobService;
import io.holdfast.job.dispatch.TooManyWaitingException;
import io.holdfast.job.dispatch.WorkerBusyException;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Finish;
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

/** All requests but a claim continue when their caller disconnects, so that the log and the metrics learn of them. */
@Path("/v1/jobs")
@Produces(MediaType.APPLICATION_JSON)
@Cancellable(false)
public class JobResource {
    private final JobService jobs;

    JobResource(JobService jobs) {
        this.jobs = jobs;
    }

    /** A worker that disconnects no longer waits, and a claim of which it cannot be told is undone. */
    @POST
    @Path("/claim")
    @Consumes(MediaType.APPLICATION_JSON)
    @Cancellable
    public Uni<Response> claim(ClaimJobBody body, @Context RoutingContext exchange) {
        var clusters = new JobAccess(jobs, exchange);
        var worker = new WorkerName(required("worker", present(body).worker()));
        return jobs.claim(
                        worker,
                        JobInput.types(body.types()),
                        JobInput.labels(body.labels()),
                        Parameters.duration("wait", body.waitFor()),
                        clusters.workable())
                .map(found -> JobResponses.claim(found, jobs.lease(), jobs.heartbeatEvery()))
                .onFailure(TooManyWaitingException.class)
                .recoverWithItem(JobProblems::tooManyWaiting)
                .onFailure(WorkerBusyException.class)
                .recoverWithUni(busy -> jobs.findJob(busy.job())
                        .map(found -> JobProblems.workerBusy(worker, found.filter(clusters::mayKnow))));
    }

    @POST
    @Path("/{id}/heartbeat")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> heartbeat(@RestPath String id, JobHeartbeatBody body, @Context RoutingContext exchange) {
        var job = new JobId(id);
        var epoch = JobInput.epoch(present(body).epoch());
        var progress = JobInput.progress(body.progress());
        return new JobAccess(jobs, exchange).ifAllowed(job, Action.WORK, () -> jobs.heartbeat(job, epoch, progress)
                .map(at -> JobResponses.heartbeat(job, epoch, at.answer(), at.now())));
    }

    @POST
    @Path("/{id}/complete")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> complete(@RestPath String id, CompleteJobBody body, @Context RoutingContext exchange) {
        var access = new JobAccess(jobs, exchange);
        return finish(new JobId(id), JobInput.epoch(present(body).epoch()), JobInput.finish(body), access);
    }

    @POST
    @Path("/{id}/fail")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> fail(@RestPath String id, FailJobBody body, @Context RoutingContext exchange) {
        var access = new JobAccess(jobs, exchange);
        return finish(new JobId(id), JobInput.epoch(present(body).epoch()), JobInput.finish(body), access);
    }

    private Uni<Response> finish(JobId job, long epoch, Finish finish, JobAccess access) {
        return access.ifAllowed(job, Action.WORK, () -> jobs.finish(job, epoch, finish)
                .map(outcome -> JobResponses.finish(job, epoch, outcome, jobs.now())));
    }

    @POST
    @Path("/{id}/cancel")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> cancel(@RestPath String id, CancelJobBody body, @Context RoutingContext exchange) {
        var job = new JobId(id);
        var reason = required("reason", present(body).reason());
        return new JobAccess(jobs, exchange).ifAllowed(job, Action.CANCEL, () -> jobs.cancel(job, reason)
                .map(outcome -> JobResponses.cancel(job, outcome, jobs.now())));
    }

    @POST
    @Path("/{id}/retry")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> retry(@RestPath String id, RetryJobBody body, @Context RoutingContext exchange) {
        var job = new JobId(id);
        var reason = required("reason", present(body).reason());
        return new JobAccess(jobs, exchange).ifAllowed(job, Action.CANCEL, () -> jobs.retry(job, reason)
                .map(outcome -> JobResponses.retry(job, outcome, jobs.now())));
    }

    @GET
    @Path("/{id}")
    public Uni<Response> get(@RestPath String id, @Context RoutingContext exchange) {
        var wanted = new JobId(id);
        return new JobAccess(jobs, exchange).ifAllowed(wanted, Action.READ, () -> jobs.findJob(wanted)
                .map(found -> JobResponses.find(wanted, found)));
    }

    @GET
    public Uni<Response> list(
            @RestQuery String status,
            @RestQuery String type,
            @RestQuery String cluster,
            @BeanParam PageParameters page,
            @Context RoutingContext exchange) {
        var access = RequestAccess.of(exchange);
        var shown = access.shown(ResourceKind.CLUSTERS);
        var ofCluster = optional(cluster, JobInput::cluster);
        ofCluster.ifPresent(id -> access.require(Action.READ, ResourceKind.CLUSTERS, id.value()));
        return jobs.listJobs(
                        optional(status, text -> JobStatus.of("status", text)),
                        optional(type, text -> JobType.of("type", text)),
                        ofCluster,
                        page.parsedLimit(),
                        page.parsedCursor())
                .map(at -> JobResponses.listJobs(
                        shown.of(at.answer(), job -> job.cluster().value()), at.now()));
    }
}
