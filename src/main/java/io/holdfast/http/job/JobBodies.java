package io.holdfast.http.job;

import io.holdfast.http.wire.Times;
import io.holdfast.http.wire.job.ClaimBody;
import io.holdfast.http.wire.job.ClusterBody;
import io.holdfast.http.wire.job.HeartbeatResultBody;
import io.holdfast.http.wire.job.JobBody;
import io.holdfast.http.wire.job.JobLeaseBody;
import io.holdfast.http.wire.job.ProgressBody;
import io.holdfast.http.wire.job.RunBody;
import io.holdfast.job.JobService.ClusterView;
import io.holdfast.job.action.Claim;
import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.Progress;
import io.holdfast.job.model.Run;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Builds the JSON bodies of clusters and jobs. */
final class JobBodies {
    private JobBodies() {}

    /** Without its jobs. */
    static ClusterBody of(Cluster cluster) {
        return of(cluster, null, null);
    }

    /** With its jobs. */
    static ClusterBody of(ClusterView view, Instant now) {
        var running = view.jobs().stream()
                .filter(job -> job.status() == JobStatus.RUNNING)
                .findFirst()
                .map(job -> of(job, now));
        var queue = view.jobs().stream()
                .filter(job -> job.status() != JobStatus.RUNNING)
                .map(job -> of(job, now))
                .toList();
        return of(view.cluster(), running.orElse(null), queue);
    }

    private static ClusterBody of(Cluster cluster, JobBody running, List<JobBody> queue) {
        var life = cluster.life();
        return new ClusterBody(
                cluster.id().value(),
                cluster.name().name(),
                cluster.name().platform(),
                cluster.name().baseDomain(),
                cluster.status().name(),
                cluster.labels().all(),
                life.ttl().map(Duration::toMillis).orElse(null),
                Times.text(life.createdAt()),
                Times.text(life.updatedAt()),
                text(life.expiresAt()),
                running,
                queue);
    }

    static JobBody of(Job job, Instant now) {
        var due = job.status() == JobStatus.QUEUED || job.status() == JobStatus.WAITING;
        var last = job.lastRun();
        var current = job.currentRun();
        var error = job.end().flatMap(Job.End::error);
        return new JobBody(
                job.id().value(),
                job.cluster().value(),
                job.type().name(),
                job.status().name(),
                JsonObjects.parse(job.order().params()),
                job.order().idempotencyKey().orElse(null),
                job.order().deadline().toMillis(),
                Times.text(job.order().createdAt()),
                due ? Times.text(job.dueAt()) : null,
                job.status() == JobStatus.WAITING ? Times.text(job.dueAt()) : null,
                job.attempts().made(),
                job.attempts().max(),
                last.map(run -> run.worker().value()).orElse(null),
                last.map(Run::epoch).orElse(null),
                text(last.map(Run::startedAt)),
                text(last.map(Run::heartbeatAt)),
                text(current.map(Run::leaseUntil)),
                current.map(run -> run.remainingAt(now).toMillis()).orElse(null),
                last.flatMap(Run::progress).map(JobBodies::progress).orElse(null),
                job.cancellation().isPresent(),
                job.cancellation().map(Job.Cancellation::reason).orElse(null),
                text(job.end().map(Job.End::at)),
                error.map(JobError::code).orElse(null),
                error.flatMap(JobError::message).orElse(null),
                job.end().flatMap(Job.End::result).map(JsonObjects::parse).orElse(null),
                job.runs().stream().map(JobBodies::run).toList());
    }

    static ClaimBody of(Claim claim, Duration lease, Duration heartbeatEvery, Instant now) {
        var run = claim.run();
        var body = new JobLeaseBody(
                Times.text(run.leaseUntil()),
                run.remainingAt(now).toMillis(),
                Durations.min(lease, claim.job().order().deadline()).toMillis(),
                heartbeatEvery.toMillis());
        return new ClaimBody(of(claim.job(), now), of(claim.cluster()), run.epoch(), body);
    }

    /** @param job after its heartbeat */
    static HeartbeatResultBody heartbeat(Job job, Instant now) {
        var run = job.currentRun().orElseThrow();
        return new HeartbeatResultBody(
                run.remainingAt(now).toMillis(), job.cancellation().isPresent(), Times.text(run.leaseUntil()));
    }

    private static RunBody run(Run run) {
        var error = run.end().flatMap(Run.End::error);
        return new RunBody(
                run.attempt(),
                run.epoch(),
                run.worker().value(),
                Times.text(run.startedAt()),
                text(run.end().map(Run.End::at)),
                run.end().map(end -> end.result().name()).orElse(null),
                error.map(JobError::code).orElse(null),
                error.flatMap(JobError::message).orElse(null),
                text(run.end().flatMap(Run.End::nextAttemptAt)));
    }

    private static ProgressBody progress(Progress progress) {
        return new ProgressBody(
                progress.percent().orElse(null), progress.message().orElse(null));
    }

    private static String text(Optional<Instant> time) {
        return time.map(Times::text).orElse(null);
    }
}
