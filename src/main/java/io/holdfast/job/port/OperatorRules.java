package io.holdfast.job.port;

import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Changes.JobChange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** When an operator may cancel a job, and retry a dead one. */
public record OperatorRules(JobTerms terms) {

    public Decision<CancelOutcome> cancel(Snapshot seen, Job job, String reason, Instant now) {
        if (job.status().isEnded()) {
            return Decision.refuse(new CancelOutcome.Ended(job));
        }
        if (job.status() == JobStatus.RUNNING) {
            return requestCancel(job, reason, now);
        }
        var error = JobError.of(JobError.CANCELLED, reason);
        var ended = job.cancelRequested(new Job.Cancellation(now, reason))
                .ended(JobStatus.CANCELLED, Optional.empty(), new Job.End(now, Optional.of(error), Optional.empty()));
        // A job that waits for its next attempt has left the cluster half done.
        var status = job.status() == JobStatus.WAITING
                ? ClusterStatus.FAILED
                : seen.cluster().status();
        var after = seen.cluster().withStatus(status).without(job.id());
        var changes = Changes.of(
                new ClusterChange(Optional.of(seen.cluster()), after), List.of(new JobChange(Optional.of(job), ended)));
        return QueueRules.settle(new CancelOutcome.Cancelled(ended), changes, now);
    }

    /** The worker of a running job learns of the request with its next heartbeat. */
    private static Decision<CancelOutcome> requestCancel(Job job, String reason, Instant now) {
        if (job.cancellation().isPresent()) {
            return Decision.refuse(new CancelOutcome.Requested(job));
        }
        var asked = job.cancelRequested(new Job.Cancellation(now, reason));
        var changes = new Changes(
                Optional.empty(), List.of(new JobChange(Optional.of(job), asked)), Optional.empty(), Optional.empty());
        return new Decision<>(new CancelOutcome.Requested(asked), Optional.of(changes), List.of());
    }

    public Decision<RetryOutcome> retry(Snapshot seen, Job job, Instant now) {
        if (job.status() != JobStatus.DEAD) {
            return Decision.refuse(new RetryOutcome.NotDead(job));
        }
        var cluster = seen.cluster();
        var retried = job.retried(terms.attemptsMax(), now);
        // It may start again where it failed, unless another job starts before it.
        var possible = cluster.queue().isEmpty()
                ? cluster.admits(QueuedJob.of(retried))
                : cluster.possibleAfterQueue().stream().anyMatch(job.type()::startsFrom);
        if (!possible) {
            var from = cluster.expectedAfterQueue();
            return Decision.refuse(new RetryOutcome.Illegal(from, job.type().during(), from.allowed()));
        }
        if (cluster.queue().size() >= terms.queueMax()) {
            return Decision.refuse(new RetryOutcome.QueueFull(cluster.queue().size()));
        }
        var change = new ClusterChange(
                Optional.of(cluster), cluster.enqueued(retried).writtenAt(now));
        return new Decision<>(
                new RetryOutcome.Retried(retried),
                Optional.of(Changes.of(change, List.of(new JobChange(Optional.of(job), retried)))),
                List.of());
    }
}
