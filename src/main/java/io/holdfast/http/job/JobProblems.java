package io.holdfast.http.job;

import io.holdfast.http.edge.Problems;
import io.holdfast.http.wire.ProblemBody;
import io.holdfast.job.dispatch.DispatchTerms;
import io.holdfast.job.dispatch.TooManyWaitingException;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.JobTerms;
import io.holdfast.job.port.RetryOutcome;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.kernel.Timestamped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Problem responses about clusters and jobs. */
final class JobProblems {
    /** A queue of a cluster gets shorter when a job ends, which takes minutes. */
    private static final long RETRY_QUEUE_SECONDS = 60;

    private static final String NONE = "none";

    private JobProblems() {}

    static Response noSuchCluster(ClusterId id) {
        return Problems.answer(
                Problems.problem(404, "not-found", "Not found", "There is no cluster '%s'.".formatted(id)));
    }

    static Response noSuchJob(JobId id) {
        return Problems.answer(Problems.problem(404, "not-found", "Not found", "There is no job '%s'.".formatted(id)));
    }

    static Response nameTaken(ClusterName name, ClusterId by) {
        var detail = "Cluster '%s' has the name '%s' on platform '%s' with base domain '%s'. Destroy it first."
                .formatted(by, name.name(), name.platform(), name.baseDomain());
        return Problems.answer(
                Problems.problem(409, "name-taken", "Name taken", detail).withCluster(by.value()));
    }

    static Response idTaken(Cluster by) {
        var detail = "Cluster '%s' exists with another name, other labels or another ttl.".formatted(by.id());
        return Problems.answer(Problems.problem(409, "id-taken", "Id taken", detail)
                .withCluster(by.id().value()));
    }

    static Response illegal(ClusterId cluster, JobType type, SubmitOutcome.Illegal illegal) {
        var detail = "Cluster '%s' is %s after the jobs of its queue, and %s cannot start then."
                .formatted(cluster, illegal.from(), type);
        return illegal(detail, illegal.from(), illegal.to(), illegal.allowed());
    }

    static Response illegal(JobId job, RetryOutcome.Illegal illegal) {
        var detail = "The cluster of job '%s' is %s after the jobs of its queue, and the job cannot start then."
                .formatted(job, illegal.from());
        return illegal(detail, illegal.from(), illegal.to(), illegal.allowed());
    }

    private static Response illegal(String detail, ClusterStatus from, ClusterStatus to, Set<ClusterStatus> allowed) {
        var names = allowed.isEmpty() ? NONE : allowed.stream().map(Enum::name).collect(Collectors.joining(", "));
        return Problems.answer(illegalTransition(detail).withTransition(from.name(), to.name(), names));
    }

    static Response ended(Job job, Instant now) {
        var detail = "Job '%s' has ended with %s and cannot be cancelled.".formatted(job.id(), job.status());
        return illegal(job, detail, JobStatus.CANCELLED, now);
    }

    static Response notDead(Job job, Instant now) {
        var detail = "Job '%s' is %s, and only a DEAD job can be retried.".formatted(job.id(), job.status());
        return illegal(job, detail, JobStatus.QUEUED, now);
    }

    private static Response illegal(Job job, String detail, JobStatus to, Instant now) {
        var allowed = job.status().isActive()
                ? JobStatus.CANCELLED.name()
                : job.status() == JobStatus.DEAD ? JobStatus.QUEUED.name() : NONE;
        return Problems.answer(illegalTransition(detail)
                .withTransition(job.status().name(), to.name(), allowed)
                .withJob(JobBodies.of(job, now)));
    }

    private static ProblemBody illegalTransition(String detail) {
        return Problems.problem(409, "illegal-transition", "Illegal transition", detail);
    }

    static Response keyReused(Job job, Instant now) {
        var detail =
                ("The idempotency_key belongs to job '%s', which has another type, other params or another deadline."
                                + " Use a new key for a new job.")
                        .formatted(job.id());
        return Problems.answer(
                Problems.problem(409, "key-reused", "Key reused", detail).withJob(JobBodies.of(job, now)));
    }

    /** @param epoch of the report that is refused */
    static Response staleEpoch(Job job, long epoch, Instant now) {
        var state = job.currentRun().map(run -> state(run, epoch)).orElseGet(() -> "is " + job.status());
        var detail = "Job '%s' %s. Stop the work of the run with epoch %d.".formatted(job.id(), state, epoch);
        return Problems.answer(
                Problems.problem(409, "stale-epoch", "Stale epoch", detail).withJob(JobBodies.of(job, now)));
    }

    private static String state(Run run, long epoch) {
        return run.epoch() == epoch
                ? "is no longer yours, because the lease of its lock has ended"
                : "is run by %s with epoch %d".formatted(run.worker(), run.epoch());
    }

    /** @param found the job that the worker runs; absent if it has been deleted meanwhile */
    static Response workerBusy(WorkerName worker, Optional<Timestamped<Job>> found) {
        var detail = "Worker '%s' runs a job already. Give each process that asks for jobs a name of its own."
                .formatted(worker);
        var problem = Problems.problem(409, "worker-busy", "Worker busy", detail);
        return Problems.answer(found.map(at -> problem.withJob(JobBodies.of(at.answer(), at.now())))
                .orElse(problem));
    }

    static Response queueFull(ClusterId cluster, SubmitOutcome.QueueFull full) {
        return queueFull("The queue of cluster '%s'".formatted(cluster), full.queued());
    }

    static Response queueFull(JobId job, RetryOutcome.QueueFull full) {
        return queueFull("The queue of the cluster of job '%s'".formatted(job), full.queued());
    }

    private static Response queueFull(String queue, int queued) {
        var detail =
                "%s has %d jobs, as many as %s allows. Ask again later".formatted(queue, queued, JobTerms.QUEUE_MAX);
        return queueFull(detail, queued, RETRY_QUEUE_SECONDS);
    }

    static Response tooManyWaiting(TooManyWaitingException full) {
        var detail = "%d workers wait for a job here, as many as %s allows. Ask again later"
                .formatted(full.waiting(), DispatchTerms.WAITING_MAX);
        return queueFull(detail, full.waiting(), Problems.RETRY_SECONDS);
    }

    private static Response queueFull(String detail, int waiting, long retrySeconds) {
        return Problems.builder(Problems.problem(429, "queue-full", "Queue full", detail)
                        .withWaiting(waiting))
                .header(HttpHeaders.RETRY_AFTER, retrySeconds)
                .build();
    }
}
