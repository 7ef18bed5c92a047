package io.holdfast.http.job;

import io.holdfast.http.wire.job.ClustersBody;
import io.holdfast.http.wire.job.JobsBody;
import io.holdfast.job.JobService.ClusterView;
import io.holdfast.job.JobService.NewCluster;
import io.holdfast.job.action.Claim;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.port.CancelOutcome;
import io.holdfast.job.port.CreateOutcome;
import io.holdfast.job.port.FinishOutcome;
import io.holdfast.job.port.HeartbeatOutcome;
import io.holdfast.job.port.RetryOutcome;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.Timestamped;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Turns outcomes of clusters and jobs into responses. */
final class JobResponses {
    private JobResponses() {}

    static Response create(NewCluster wanted, CreateOutcome outcome) {
        return switch (outcome) {
            case CreateOutcome.Created created -> created(JobBodies.of(created.cluster()));
            case CreateOutcome.CreatedBefore before -> ok(JobBodies.of(before.cluster()));
            case CreateOutcome.NameTaken taken -> JobProblems.nameTaken(wanted.name(), taken.by());
            case CreateOutcome.IdTaken taken -> JobProblems.idTaken(taken.by());
        };
    }

    static Response find(ClusterId id, Optional<Timestamped<ClusterView>> found) {
        return found.map(at -> ok(JobBodies.of(at.answer(), at.now()))).orElseGet(() -> JobProblems.noSuchCluster(id));
    }

    static Response listClusters(Page<Cluster> page) {
        return ok(new ClustersBody(page.items().stream().map(JobBodies::of).toList(), next(page)));
    }

    static Response submit(ClusterId cluster, JobType type, SubmitOutcome outcome, Instant now) {
        return switch (outcome) {
            case SubmitOutcome.Submitted submitted -> created(JobBodies.of(submitted.job(), now));
            case SubmitOutcome.SubmittedBefore before -> ok(JobBodies.of(before.job(), now));
            case SubmitOutcome.NoSuchCluster none -> JobProblems.noSuchCluster(cluster);
            case SubmitOutcome.Illegal illegal -> JobProblems.illegal(cluster, type, illegal);
            case SubmitOutcome.KeyReused reused -> JobProblems.keyReused(reused.job(), now);
            case SubmitOutcome.QueueFull full -> JobProblems.queueFull(cluster, full);
        };
    }

    static Response claim(Optional<Timestamped<Claim>> found, Duration lease, Duration heartbeatEvery) {
        return found.map(at -> ok(JobBodies.of(at.answer(), lease, heartbeatEvery, at.now())))
                .orElseGet(() -> Response.noContent().build());
    }

    static Response heartbeat(JobId id, long epoch, HeartbeatOutcome outcome, Instant now) {
        return switch (outcome) {
            case HeartbeatOutcome.Extended extended -> ok(JobBodies.heartbeat(extended.job(), now));
            case HeartbeatOutcome.StaleEpoch stale -> JobProblems.staleEpoch(stale.job(), epoch, now);
            case HeartbeatOutcome.NoSuchJob none -> JobProblems.noSuchJob(id);
        };
    }

    static Response finish(JobId id, long epoch, FinishOutcome outcome, Instant now) {
        return switch (outcome) {
            case FinishOutcome.Finished finished -> ok(JobBodies.of(finished.job(), now));
            case FinishOutcome.FinishedBefore before -> ok(JobBodies.of(before.job(), now));
            case FinishOutcome.StaleEpoch stale -> JobProblems.staleEpoch(stale.job(), epoch, now);
            case FinishOutcome.NoSuchJob none -> JobProblems.noSuchJob(id);
        };
    }

    static Response cancel(JobId id, CancelOutcome outcome, Instant now) {
        return switch (outcome) {
            case CancelOutcome.Cancelled cancelled -> ok(JobBodies.of(cancelled.job(), now));
            case CancelOutcome.Requested requested -> ok(JobBodies.of(requested.job(), now));
            case CancelOutcome.Ended ended -> JobProblems.ended(ended.job(), now);
            case CancelOutcome.NoSuchJob none -> JobProblems.noSuchJob(id);
        };
    }

    static Response retry(JobId id, RetryOutcome outcome, Instant now) {
        return switch (outcome) {
            case RetryOutcome.Retried retried -> ok(JobBodies.of(retried.job(), now));
            case RetryOutcome.NotDead notDead -> JobProblems.notDead(notDead.job(), now);
            case RetryOutcome.Illegal illegal -> JobProblems.illegal(id, illegal);
            case RetryOutcome.QueueFull full -> JobProblems.queueFull(id, full);
            case RetryOutcome.NoSuchJob none -> JobProblems.noSuchJob(id);
        };
    }

    static Response find(JobId id, Optional<Timestamped<Job>> found) {
        return found.map(at -> ok(JobBodies.of(at.answer(), at.now()))).orElseGet(() -> JobProblems.noSuchJob(id));
    }

    static Response listJobs(Page<Job> page, Instant now) {
        var jobs = page.items().stream().map(job -> JobBodies.of(job, now)).toList();
        return ok(new JobsBody(jobs, next(page)));
    }

    private static String next(Page<?> page) {
        return page.next().map(Cursor::text).orElse(null);
    }

    private static Response ok(Object body) {
        return Response.ok(body).build();
    }

    private static Response created(Object body) {
        return Response.status(201).entity(body).build();
    }
}
