package io.holdfast.telemetry.log;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.JobCounts;
import io.holdfast.job.port.JobListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;

/** One log line per step of a job: a constant message, then key=value pairs. */
public final class JobLog implements JobListener {
    private static final Logger LOG = Logger.getLogger("io.holdfast.job");
    private static final Logger AUDIT = Logger.getLogger("io.holdfast.audit");

    @Override
    public void created(Cluster cluster) {
        LOG.infof(
                "Cluster created cluster=%s name=%s platform=%s base_domain=%s ttl_ms=%d",
                cluster.id(),
                cluster.name().name(),
                cluster.name().platform(),
                cluster.name().baseDomain(),
                cluster.life().ttl().map(Duration::toMillis).orElse(null));
    }

    @Override
    public void submitted(Job job) {
        LOG.infof("Job submitted %s", job(job));
    }

    @Override
    public void claimed(Job job, Run run) {
        LOG.infof("Job claimed %s %s", job(job), run(run));
    }

    @Override
    public void heartbeat(Job job, Run run) {
        LOG.debugf("Job heartbeat %s %s expires_at=%s", job(job), run(run), run.leaseUntil());
    }

    @Override
    public void finished(Job job, Run run) {
        LOG.logf(
                job.status() == JobStatus.SUCCEEDED ? Logger.Level.INFO : Logger.Level.WARN,
                "Job run ended %s %s status=%s duration_ms=%d%s",
                job(job),
                run(run),
                job.status(),
                duration(run).toMillis(),
                error(run));
    }

    @Override
    public void rescued(Job job, Run run) {
        LOG.warnf(
                "Job run ended by the janitor %s %s status=%s duration_ms=%d%s",
                job(job), run(run), job.status(), duration(run).toMillis(), error(run));
    }

    @Override
    public void ended(Job job) {
        LOG.infof(
                "Job ended without a run %s status=%s%s",
                job(job), job.status(), error(job.end().flatMap(Job.End::error)));
    }

    @Override
    public void cancelRequested(Job job) {
        AUDIT.infof(
                "Cancellation of a running job requested %s %s reason=%s",
                job(job), job.currentRun().map(JobLog::run).orElse(""), reason(job));
    }

    @Override
    public void cancelled(Job job) {
        AUDIT.infof("Job cancelled %s reason=%s", job(job), reason(job));
    }

    @Override
    public void retried(Job job, String reason) {
        AUDIT.infof("Dead job retried %s reason=%s", job(job), LogValue.of(reason));
    }

    @Override
    public void refused(String operation, Job job, long epoch) {
        LOG.warnf(
                "Report refused, the worker no longer runs the job operation=%s %s %s status=%s holder=%s",
                operation,
                job(job),
                job.runOf(epoch).map(JobLog::run).orElse("epoch=" + epoch),
                job.status(),
                holder(job));
    }

    @Override
    public void notClaimed(Contention reason) {
        LOG.debugf("Job not claimed reason=%s", reason);
    }

    @Override
    public void unclaimed(Job job) {
        LOG.infof(
                "Claim undone, the worker had disconnected %s %s",
                job(job), job.lastRun().map(JobLog::run).orElse(""));
    }

    @Override
    public void counted(JobCounts counts, Instant now) {
        LOG.debugf("Jobs counted counts=%s", counts);
    }

    @Override
    public void notCounted() {
        LOG.debug("Jobs not counted at this replica");
    }

    private static String job(Job job) {
        return "job=%s cluster=%s type=%s".formatted(job.id(), job.cluster(), job.type());
    }

    private static String run(Run run) {
        return "epoch=%d worker=%s attempt=%d".formatted(run.epoch(), LogValue.of(run.worker()), run.attempt());
    }

    private static Duration duration(Run run) {
        return run.end().map(end -> Duration.between(run.startedAt(), end.at())).orElse(Duration.ZERO);
    }

    private static String error(Run run) {
        var next = run.end()
                .flatMap(Run.End::nextAttemptAt)
                .map(at -> " next_attempt_at=" + at)
                .orElse("");
        return error(run.end().flatMap(Run.End::error)) + next;
    }

    private static String error(Optional<JobError> error) {
        var code = error.map(found -> " error_code=" + found.code()).orElse("");
        var message = error.flatMap(JobError::message)
                .map(text -> " error=" + LogValue.of(text))
                .orElse("");
        return code + message;
    }

    private static String reason(Job job) {
        return LogValue.of(job.cancellation().map(Job.Cancellation::reason).orElse(""));
    }

    private static String holder(Job job) {
        return job.currentRun().map(run -> LogValue.of(run.worker())).orElse("none");
    }
}
