package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Changes.JobChange;
import io.holdfast.job.port.Changes.WorkerStep;
import io.holdfast.lock.model.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Which job a worker may start, when the worker is told of its claim again, and when a claim is undone. */
public record ClaimRules(ClusterLockRules lock, RunEndRules runEnds) {

    /** @param wanted the job that was found as due work */
    public Decision<ClaimOutcome> claim(Snapshot seen, JobId wanted, WorkerName worker, Instant now) {
        var cluster = seen.cluster();
        var place = cluster.claimable()
                .filter(first -> first.id().equals(wanted) && !first.dueAt().isAfter(now));
        var found = place.flatMap(first -> seen.job(first.id()));
        if (found.isEmpty()) {
            return Decision.refuse(new ClaimOutcome.NotClaimable());
        }
        var job = found.get();
        if (!cluster.admits(place.get())) {
            return endHead(cluster, job, QueueRules.illegalState(cluster), now);
        }
        var acquired = lock.acquire(seen, job, worker, now);
        return acquired.grant()
                .map(grant -> start(seen, job, worker, grant, now))
                .orElseGet(() -> Decision.refuse(new ClaimOutcome.Locked(acquired.outcome())));
    }

    private static Decision<ClaimOutcome> start(
            Snapshot seen, Job job, WorkerName worker, LockStep.Grant grant, Instant now) {
        var cluster = seen.cluster();
        var started = job.started(newRun(job, worker, grant.after().lease(), now));
        var after = cluster.updated(started, job.type().during()).writtenAt(now);
        var before = new ClaimOutcome.Before(job.status(), cluster.status(), cluster.lastStarted());
        var changes = new Changes(
                Optional.of(new ClusterChange(Optional.of(cluster), after)),
                List.of(new JobChange(Optional.of(job), started)),
                Optional.of(grant),
                Optional.of(new WorkerStep.Starts(worker, job.id())));
        return new Decision<>(new ClaimOutcome.Claimed(started, after, before), Optional.of(changes), List.of());
    }

    private static Run newRun(Job job, WorkerName worker, Lease lease, Instant now) {
        return new Run(
                job.attempts().made() + 1,
                lease.token().value(),
                worker,
                lease.id(),
                now,
                now,
                lease.expiresAt(),
                now.plus(job.order().deadline()),
                Optional.empty(),
                Optional.empty());
    }

    /** The name of the cluster belongs to another one meanwhile, so the job that would make it active again ends. */
    public Decision<ClaimOutcome> refuseForName(Snapshot seen, JobId wanted, Instant now) {
        var cluster = seen.cluster();
        var error = JobError.of(
                JobError.NAME_TAKEN,
                "Another active cluster has the name " + cluster.name().name() + ".");
        return cluster.claimable()
                .filter(first -> first.id().equals(wanted))
                .flatMap(first -> seen.job(wanted))
                .map(job -> endHead(cluster, job, error, now))
                .orElseGet(() -> Decision.refuse(new ClaimOutcome.NotClaimable()));
    }

    private static Decision<ClaimOutcome> endHead(Cluster cluster, Job job, JobError error, Instant now) {
        var ended =
                job.ended(JobStatus.FAILED, Optional.empty(), new Job.End(now, Optional.of(error), Optional.empty()));
        var after = QueueRules.withoutUnstarted(cluster, QueuedJob.of(job));
        var changes = Changes.of(
                new ClusterChange(Optional.of(cluster), after), List.of(new JobChange(Optional.of(job), ended)));
        return QueueRules.settle(new ClaimOutcome.Ended(ended), changes, now);
    }

    /**
     * Undoes a claim that no worker was told of, unless it has been used since.
     *
     * @param claimed the job as the claim has written it
     * @return the job after it; empty if the claim was not undone
     */
    public Decision<Optional<Job>> unclaim(Snapshot seen, Job claimed, ClaimOutcome.Before before, Instant now) {
        var found = seen.job(claimed.id()).filter(job -> isAsClaimed(job, claimed));
        if (found.isEmpty()) {
            return Decision.refuse(Optional.empty());
        }
        var unclaimed = found.get().unclaimed(before.job());
        var restored = seen.cluster().updated(unclaimed, before.cluster()).startedLastBy(before.lastStarted());
        var error = whyUnwanted(unclaimed, seen.cluster());
        if (error.isEmpty()) {
            return runEnds.end(Optional.of(unclaimed), seen, new JobChange(found, unclaimed), restored, now);
        }
        var cancelled =
                unclaimed.ended(JobStatus.CANCELLED, Optional.empty(), new Job.End(now, error, Optional.empty()));
        return runEnds.end(
                Optional.of(cancelled), seen, new JobChange(found, cancelled), restored.without(claimed.id()), now);
    }

    /** What happened to the job while it was claimed: a request to cancel it, or a destroy that was submitted. */
    private static Optional<JobError> whyUnwanted(Job unclaimed, Cluster cluster) {
        return unclaimed
                .cancellation()
                .map(cancellation -> JobError.of(JobError.CANCELLED, cancellation.reason()))
                .or(() -> SubmissionRules.supersededIn(cluster, QueuedJob.of(unclaimed)));
    }

    /** Whether nothing has happened since the claim, or only a request to cancel the job. */
    private static boolean isAsClaimed(Job found, Job claimed) {
        var cancelRequests = found.cancellation().isPresent() ? 1 : 0;
        return found.version() == claimed.version() + cancelRequests;
    }

    /**
     * Tells the worker again of the job that it runs, and renews its lease. Not if it has sent a heartbeat: then the
     * worker knows its job, and another process with the same name asks.
     */
    public Decision<ClaimOutcome> claimAgain(Snapshot seen, JobId id, WorkerName worker, Instant now) {
        var job = seen.job(id);
        var current = job.flatMap(Job::currentRun).filter(run -> run.worker().equals(worker));
        if (current.isEmpty()) {
            return Decision.refuse(new ClaimOutcome.NotClaimable());
        }
        var run = current.get();
        var renewal = run.isConfirmed() ? Optional.<LockStep.Renew>empty() : lock.renew(seen, run, now);
        if (renewal.isEmpty()) {
            return Decision.refuse(new ClaimOutcome.WorkerBusy(id));
        }
        // The new version keeps an older claim from being undone.
        var told = job.get().with(run.extended(renewal.get().after().lease().expiresAt()));
        return new Decision<>(
                new ClaimOutcome.ClaimedBefore(told, seen.cluster()),
                Optional.of(Changes.ofRun(new JobChange(job, told), renewal.get())),
                List.of());
    }
}
