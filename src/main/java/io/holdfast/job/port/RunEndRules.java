package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Changes.JobChange;
import io.holdfast.job.port.Changes.WorkerStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What happens to the job, the lock, the worker and the queue when a run ends, and whether the job is tried again. */
public record RunEndRules(JobTerms terms, ClusterLockRules lock) {

    /** @param retryable whether another attempt may succeed */
    record Failure(Run.Result result, JobError error, boolean retryable) {}

    /** A run has failed: the job waits for its next attempt, or ends with the cluster FAILED. */
    Decision<Job> fail(Snapshot seen, Job job, Failure failure, Instant now) {
        var again = failure.retryable()
                && job.cancellation().isEmpty()
                && !job.attempts().areExhausted();
        var nextAttempt = again ? Optional.of(now.plus(pauseAfter(job))) : Optional.<Instant>empty();
        var run = job.currentRun()
                .orElseThrow()
                .ended(new Run.End(now, failure.result(), Optional.of(failure.error()), nextAttempt));
        if (again) {
            var waiting = job.waiting(run, nextAttempt.get());
            var after = seen.cluster().updated(waiting, job.type().during());
            return end(waiting, seen, new JobChange(Optional.of(job), waiting), after, now);
        }
        var end = new Job.End(now, Optional.of(failure.error()), Optional.empty());
        var last = job.ended(statusAfter(job, failure), Optional.of(run), end);
        var after = seen.cluster().withStatus(ClusterStatus.FAILED).without(job.id());
        return end(last, seen, new JobChange(Optional.of(job), last), after, now);
    }

    private static JobStatus statusAfter(Job job, Failure failure) {
        if (job.cancellation().isPresent()) {
            return JobStatus.CANCELLED;
        }
        return failure.retryable() ? JobStatus.DEAD : JobStatus.FAILED;
    }

    private Duration pauseAfter(Job job) {
        var left = job.attempts().max() - job.attempts().made();
        return terms.pauseBefore(Math.max(1, terms.attemptsMax() - left));
    }

    /**
     * Ends the current run of a job: releases the lock of the cluster, and the worker is free for another job.
     *
     * @param job from the running job to the job after the run
     * @param after the cluster after the run
     */
    <O> Decision<O> end(O outcome, Snapshot seen, JobChange job, Cluster after, Instant now) {
        var run = job.before().flatMap(Job::currentRun).orElseThrow();
        var changes = new Changes(
                Optional.of(new ClusterChange(Optional.of(seen.cluster()), after)),
                List.of(job),
                lock.release(seen, run, now),
                Optional.of(new WorkerStep.Stops(run.worker(), job.after().id())));
        return QueueRules.settle(outcome, changes, now);
    }
}
