package io.holdfast.job.port;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.LockRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When the janitor ends a run whose worker is gone or has lost the lock of the cluster.
 *
 * @param rescueAfter how long the lease must have expired
 */
public record RescueRules(Duration rescueAfter, LockRules locks, RunEndRules runEnds) {

    /**
     * The janitor's decision about a running job.
     *
     * @param read the job as the janitor found it; a heartbeat since then has changed its version
     */
    public Decision<RescueOutcome> rescue(Snapshot seen, Job read, Instant now) {
        var found = seen.job(read.id()).filter(job -> job.version() == read.version());
        var current = found.flatMap(Job::currentRun);
        if (current.isEmpty() || !locks.takeovers()) {
            return Decision.refuse(new RescueOutcome.Alive());
        }
        var run = current.get();
        if (isOverdue(run, now)) {
            return rescued(run, runEnds.fail(seen, found.get(), timedOut(run), now));
        }
        if (now.isBefore(run.leaseUntil()) && !ClusterLockRules.isOf(seen.lock(), run)) {
            return rescued(run, closed(seen, run, runEnds.fail(seen, found.get(), lockLost(run), now)));
        }
        return Decision.refuse(new RescueOutcome.Alive());
    }

    private boolean isOverdue(Run run, Instant now) {
        return run.leaseUntil().plus(rescueAfter).plus(locks.maxClockSkew()).isBefore(now);
    }

    private static RunEndRules.Failure timedOut(Run run) {
        var atDeadline = !run.leaseUntil().isBefore(run.deadline());
        var error = atDeadline
                ? JobError.of(JobError.DEADLINE_EXCEEDED, "The run did not end by its deadline.")
                : JobError.of(JobError.WORKER_TIMEOUT, "Worker " + run.worker() + " sent no heartbeat.");
        return new RunEndRules.Failure(Run.Result.TIMED_OUT, error, true);
    }

    private static RunEndRules.Failure lockLost(Run run) {
        var error = JobError.of(
                JobError.LOCK_STATE_LOST, "The lock of the cluster was not held by worker " + run.worker() + ".");
        return new RunEndRules.Failure(Run.Result.LOCK_LOST, error, false);
    }

    private static Decision<RescueOutcome> rescued(Run run, Decision<Job> ended) {
        return new Decision<>(new RescueOutcome.Rescued(ended.outcome(), run), ended.changes(), ended.endings());
    }

    /**
     * The worker may still rely on its lease, so no other job starts before the lease ends. After a force release the
     * next job may start at once: an operator has decided that.
     */
    private Decision<Job> closed(Snapshot seen, Run run, Decision<Job> decision) {
        var forced = seen.lock()
                .flatMap(LockRecord::end)
                .flatMap(LockRecord.End::forcedBecause)
                .isPresent();
        var changes = decision.changes().orElseThrow();
        var cluster = changes.cluster().orElseThrow();
        var after = forced
                ? cluster.after()
                : cluster.after().closedUntil(run.leaseUntil().plus(locks.maxClockSkew()));
        var unchanged = new LockStep.Unchanged(seen.cluster().id().lock(), seen.lock());
        return new Decision<>(
                decision.outcome(),
                Optional.of(new Changes(
                        Optional.of(new ClusterChange(cluster.before(), after)),
                        changes.jobs(),
                        Optional.of(unchanged),
                        changes.worker())),
                decision.endings());
    }
}
