package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Progress;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Changes.JobChange;
import io.holdfast.job.port.Changes.WorkerStep;
import io.holdfast.job.port.Decision.Ending;
import io.holdfast.kernel.Durations;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rules of submitting, claiming, finishing and rescuing jobs. Pure functions: the input is what was read and the
 * time, the result is the answer and the changes to write.
 *
 * <p>A job runs only while its worker holds the lock of the cluster. The lock, the job and the cluster change together.
 * The epoch of a run is the fencing token of the lock.
 */
public record JobRules(JobTerms terms, LockRules locks) {

    /** @param deadline the longest time of one run; the default of the type if absent */
    public record NewJob(JobType type, String params, Optional<String> idempotencyKey, Optional<Duration> deadline) {}

    /** @param keyed the job that was submitted with the same key before */
    public Decision<SubmitOutcome> submit(Cluster cluster, NewJob wanted, Optional<Job> keyed, Instant now) {
        if (keyed.isPresent()) {
            return Decision.refuse(repeated(wanted, keyed.get()));
        }
        var possible = cluster.possibleAfterQueue();
        if (possible.stream().noneMatch(wanted.type()::startsFrom)) {
            var from = cluster.expectedAfterQueue();
            return Decision.refuse(new SubmitOutcome.Illegal(from, wanted.type().during(), from.allowed()));
        }
        var superseded = wanted.type().destroys() ? superseded(cluster) : List.<Ending>of();
        var remaining = without(cluster, superseded);
        if (remaining.queue().size() >= terms.queueMax()) {
            return Decision.refuse(new SubmitOutcome.QueueFull(remaining.queue().size()));
        }
        var deadline = wanted.deadline().orElseGet(() -> terms.deadlines().get(wanted.type()));
        var order = new Job.Order(wanted.params(), wanted.idempotencyKey(), deadline, now);
        var job = Job.submitted(JobId.newAt(now), cluster.id(), wanted.type(), order, terms.attemptsMax());
        return decide(
                new SubmitOutcome.Submitted(job, superseded),
                cluster,
                remaining.enqueued(job),
                new JobChange(Optional.empty(), job),
                superseded,
                now);
    }

    /** The TTL of the cluster is over: submits a destroy, unless one is queued. */
    public Decision<Optional<Job>> expire(Cluster cluster, Instant now) {
        var over = cluster.life().expiresAt().filter(at -> !at.isAfter(now)).isPresent()
                && !cluster.life().expiryHandled()
                && cluster.queue().stream().noneMatch(job -> job.type().destroys());
        if (!over) {
            return Decision.refuse(Optional.empty());
        }
        var wanted = new NewJob(JobType.JANITOR_DESTROY, "{}", Optional.empty(), Optional.empty());
        var decision = submit(cluster.withExpiryHandled(), wanted, Optional.empty(), now);
        var job = decision.outcome() instanceof SubmitOutcome.Submitted submitted
                ? Optional.of(submitted.job())
                : Optional.<Job>empty();
        return new Decision<>(job, decision.changes().map(changes -> readAs(cluster, changes)), decision.endings());
    }

    /** The change was decided on an altered copy of the cluster. */
    private static Changes readAs(Cluster before, Changes changes) {
        var after = changes.cluster().orElseThrow().after();
        return new Changes(
                Optional.of(new ClusterChange(Optional.of(before), after)),
                changes.jobs(),
                changes.lock(),
                changes.worker());
    }

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
            return endHead(cluster, job, illegalState(cluster), now);
        }
        var request = request(job, worker);
        var granted = locks.withTokensAbove(seen.tokenFloor()).acquire(seen.lock(), request, now);
        if (!(granted.outcome() instanceof AcquireOutcome.Granted grant)
                || granted.write().isEmpty()) {
            return Decision.refuse(new ClaimOutcome.Locked(granted.outcome()));
        }
        var lease = grant.lease();
        var run = new Run(
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
        var started = job.started(run);
        var after = cluster.updated(started, job.type().during()).writtenAt(now);
        var before = new ClaimOutcome.Before(job.status(), cluster.status(), cluster.lastStarted());
        var changes = new Changes(
                Optional.of(new ClusterChange(Optional.of(cluster), after)),
                List.of(new JobChange(Optional.of(job), started)),
                Optional.of(
                        new LockStep.Grant(request, seen.lock(), granted.write().get())),
                Optional.of(new WorkerStep.Starts(worker, job.id())));
        return new Decision<>(new ClaimOutcome.Claimed(started, after, before), Optional.of(changes), List.of());
    }

    /** The name of the cluster belongs to another one meanwhile, so the job that would make it active again ends. */
    public Decision<ClaimOutcome> refuseForName(Snapshot seen, JobId wanted, Instant now) {
        var error = JobError.of(
                JobError.NAME_TAKEN,
                "Another active cluster has the name " + seen.cluster().name().name() + ".");
        return seen.cluster()
                        .claimable()
                        .filter(first -> first.id().equals(wanted))
                        .isPresent()
                ? seen.job(wanted)
                        .map(job -> endHead(seen.cluster(), job, error, now))
                        .orElseGet(() -> Decision.refuse(new ClaimOutcome.NotClaimable()))
                : Decision.refuse(new ClaimOutcome.NotClaimable());
    }

    private Decision<ClaimOutcome> endHead(Cluster cluster, Job job, JobError error, Instant now) {
        var ended =
                job.ended(JobStatus.FAILED, Optional.empty(), new Job.End(now, Optional.of(error), Optional.empty()));
        return settle(
                new ClaimOutcome.Ended(job.id()),
                cluster,
                cluster.without(job.id()),
                new JobChange(Optional.of(job), ended),
                Optional.empty(),
                Optional.empty(),
                now);
    }

    /**
     * Undoes a claim that no worker was told of, unless it has been used since.
     *
     * @param claimed the job as the claim has written it
     */
    public Decision<Boolean> unclaim(Snapshot seen, Job claimed, ClaimOutcome.Before before, Instant now) {
        var job = seen.job(claimed.id()).filter(found -> found.version() == claimed.version());
        if (job.isEmpty()) {
            return Decision.refuse(false);
        }
        var unclaimed = job.get().unclaimed(before.job());
        var after = seen.cluster()
                .updated(unclaimed, before.cluster())
                .startedLastBy(before.lastStarted())
                .writtenAt(now);
        var run = job.get().currentRun().orElseThrow();
        var changes = new Changes(
                Optional.of(new ClusterChange(Optional.of(seen.cluster()), after)),
                List.of(new JobChange(job, unclaimed)),
                release(seen, run, now),
                Optional.of(new WorkerStep.Stops(run.worker(), claimed.id())));
        return new Decision<>(true, Optional.of(changes), List.of());
    }

    /** Tells the worker again of the job that it runs. The new version keeps an older claim from being undone. */
    public Decision<ClaimOutcome> claimAgain(Snapshot seen, JobId id, WorkerName worker, Instant now) {
        var job = seen.job(id);
        var alive = job.flatMap(Job::currentRun)
                .filter(run -> run.worker().equals(worker))
                .filter(run -> isHeld(seen, run, now));
        if (alive.isEmpty()) {
            return Decision.refuse(new ClaimOutcome.NotClaimable());
        }
        var touched = job.get().touched();
        var changes =
                new Changes(Optional.empty(), List.of(new JobChange(job, touched)), Optional.empty(), Optional.empty());
        return new Decision<>(new ClaimOutcome.ClaimedBefore(touched, seen.cluster()), Optional.of(changes), List.of());
    }

    public Decision<HeartbeatOutcome> heartbeat(
            Snapshot seen, Job job, long epoch, Optional<Progress> progress, Instant now) {
        var current = job.currentRun().filter(run -> run.epoch() == epoch);
        if (current.isEmpty()) {
            return Decision.refuse(new HeartbeatOutcome.StaleEpoch(job));
        }
        var run = current.get();
        var ttl = Durations.min(terms.lease(), Duration.between(now, run.deadline()));
        if (ttl.isNegative() || ttl.isZero()) {
            return Decision.refuse(new HeartbeatOutcome.StaleEpoch(job));
        }
        var claim = run.claim(job.cluster());
        var renewed = locks.renew(seen.lock(), claim, Renewal.by(Optional.of(ttl)), now);
        if (!(renewed.outcome() instanceof RenewOutcome.Renewed extended)) {
            return Decision.refuse(new HeartbeatOutcome.StaleEpoch(job));
        }
        var beating = job.with(run.heartbeat(now, extended.lease().expiresAt(), progress));
        var step = new LockStep.Renew(claim, ttl, seen.lock(), renewed.write().orElseThrow());
        var changes = new Changes(
                Optional.empty(),
                List.of(new JobChange(Optional.of(job), beating)),
                Optional.of(step),
                Optional.empty());
        return new Decision<>(new HeartbeatOutcome.Extended(beating), Optional.of(changes), List.of());
    }

    public Decision<FinishOutcome> finish(Snapshot seen, Job job, long epoch, Finish finish, Instant now) {
        var current = job.currentRun().filter(run -> run.epoch() == epoch);
        if (current.isEmpty()) {
            var reported = job.runOf(epoch)
                    .flatMap(Run::end)
                    .filter(end -> end.result() == finish.runResult())
                    .isPresent();
            return Decision.refuse(
                    reported ? new FinishOutcome.FinishedBefore(job) : new FinishOutcome.StaleEpoch(job));
        }
        var run = current.get();
        if (!isHeld(seen, run, now)) {
            return Decision.refuse(new FinishOutcome.StaleEpoch(job));
        }
        return switch (finish) {
            case Finish.Complete complete -> {
                var end = new Run.End(now, Run.Result.COMPLETED, Optional.empty(), Optional.empty());
                var done = job.ended(
                        JobStatus.SUCCEEDED,
                        Optional.of(run.ended(end)),
                        new Job.End(now, Optional.empty(), complete.result()));
                var after = seen.cluster().withStatus(job.type().done()).without(job.id());
                yield settle(
                        new FinishOutcome.Finished(done),
                        seen.cluster(),
                        after,
                        new JobChange(Optional.of(job), done),
                        release(seen, run, now),
                        stops(job, run),
                        now);
            }
            case Finish.Fail fail -> {
                var failed = failed(seen, job, run, Run.Result.FAILED, fail.error(), fail.retryable(), now);
                yield new Decision<>(new FinishOutcome.Finished(failed.outcome()), failed.changes(), failed.endings());
            }
        };
    }

    /**
     * The janitor's decision about a running job.
     *
     * @param read the job as the janitor found it; a heartbeat since then has changed its version
     */
    public Decision<RescueOutcome> rescue(Snapshot seen, Job read, Instant now) {
        var job = seen.job(read.id()).filter(found -> found.version() == read.version());
        var current = job.flatMap(Job::currentRun);
        if (current.isEmpty() || !locks.takeovers()) {
            return Decision.refuse(new RescueOutcome.Alive());
        }
        var run = current.get();
        var overdue = run.leaseUntil()
                .plus(terms.rescueAfter())
                .plus(locks.maxClockSkew())
                .isBefore(now);
        Decision<Job> decision;
        if (overdue) {
            var atDeadline = !run.leaseUntil().isBefore(run.deadline());
            var error = atDeadline
                    ? JobError.of(JobError.DEADLINE_EXCEEDED, "The run did not end by its deadline.")
                    : JobError.of(JobError.WORKER_TIMEOUT, "Worker " + run.worker() + " sent no heartbeat.");
            decision = failed(seen, job.get(), run, Run.Result.TIMED_OUT, error, true, now);
        } else if (now.isBefore(run.leaseUntil()) && !isLockOf(seen.lock(), run)) {
            var error = JobError.of(
                    JobError.LOCK_STATE_LOST, "The lock of the cluster was not held by worker " + run.worker() + ".");
            decision = failed(seen, job.get(), run, Run.Result.LOCK_LOST, error, false, now);
        } else {
            return Decision.refuse(new RescueOutcome.Alive());
        }
        return new Decision<>(
                new RescueOutcome.Rescued(decision.outcome(), run), decision.changes(), decision.endings());
    }

    public Decision<CancelOutcome> cancel(Snapshot seen, Job job, String reason, Instant now) {
        if (job.status().isEnded()) {
            return Decision.refuse(new CancelOutcome.Ended(job));
        }
        if (job.status() == JobStatus.RUNNING) {
            if (job.cancellation().isPresent()) {
                return Decision.refuse(new CancelOutcome.Requested(job));
            }
            var asked = job.cancelRequested(new Job.Cancellation(now, reason));
            var changes = new Changes(
                    Optional.empty(),
                    List.of(new JobChange(Optional.of(job), asked)),
                    Optional.empty(),
                    Optional.empty());
            return new Decision<>(new CancelOutcome.Requested(asked), Optional.of(changes), List.of());
        }
        var error = JobError.of(JobError.CANCELLED, reason);
        var ended = job.cancelRequested(new Job.Cancellation(now, reason))
                .ended(JobStatus.CANCELLED, Optional.empty(), new Job.End(now, Optional.of(error), Optional.empty()));
        // A job that waits for its next attempt has left the cluster half done.
        var status = job.status() == JobStatus.WAITING
                ? ClusterStatus.FAILED
                : seen.cluster().status();
        return settle(
                new CancelOutcome.Cancelled(ended),
                seen.cluster(),
                seen.cluster().withStatus(status).without(job.id()),
                new JobChange(Optional.of(job), ended),
                Optional.empty(),
                Optional.empty(),
                now);
    }

    public Decision<RetryOutcome> retry(Snapshot seen, Job job, Instant now) {
        if (job.status() != JobStatus.DEAD) {
            return Decision.refuse(new RetryOutcome.NotDead(job));
        }
        var cluster = seen.cluster();
        var retried = job.retried(terms.attemptsMax(), now);
        var place = QueuedJob.of(retried);
        var possible = cluster.possibleAfterQueue().stream()
                .anyMatch(status -> cluster.withStatus(status).admits(place));
        if (!possible) {
            var from = cluster.expectedAfterQueue();
            return Decision.refuse(new RetryOutcome.Illegal(from, job.type().during(), from.allowed()));
        }
        if (cluster.queue().size() >= terms.queueMax()) {
            return Decision.refuse(new RetryOutcome.QueueFull(cluster.queue().size()));
        }
        return decide(
                new RetryOutcome.Retried(retried),
                cluster,
                cluster.enqueued(retried),
                new JobChange(Optional.of(job), retried),
                List.of(),
                now);
    }

    /** A run has failed: the job waits for its next attempt, or ends with the cluster FAILED. */
    private Decision<Job> failed(
            Snapshot seen, Job job, Run run, Run.Result result, JobError error, boolean retryable, Instant now) {
        var cluster = seen.cluster();
        var again = retryable && job.cancellation().isEmpty() && !job.attempts().areExhausted();
        var nextAttempt = again ? Optional.of(now.plus(pauseAfter(job))) : Optional.<Instant>empty();
        var ended = run.ended(new Run.End(now, result, Optional.of(error), nextAttempt));
        if (again) {
            var waiting = job.waiting(ended, nextAttempt.get());
            return settle(
                    waiting,
                    cluster,
                    cluster.updated(waiting, job.type().during()),
                    new JobChange(Optional.of(job), waiting),
                    release(seen, run, now),
                    stops(job, run),
                    now);
        }
        var status =
                job.cancellation().isPresent() ? JobStatus.CANCELLED : retryable ? JobStatus.DEAD : JobStatus.FAILED;
        var last = job.ended(status, Optional.of(ended), new Job.End(now, Optional.of(error), Optional.empty()));
        return settle(
                last,
                cluster,
                cluster.withStatus(ClusterStatus.FAILED).without(job.id()),
                new JobChange(Optional.of(job), last),
                release(seen, run, now),
                stops(job, run),
                now);
    }

    private Duration pauseAfter(Job job) {
        var left = job.attempts().max() - job.attempts().made();
        return terms.pauseBefore(Math.max(1, terms.attemptsMax() - left));
    }

    private SubmitOutcome repeated(NewJob wanted, Job before) {
        var same = before.type() == wanted.type()
                && before.order().params().equals(wanted.params())
                && wanted.deadline()
                        .filter(deadline -> !deadline.equals(before.order().deadline()))
                        .isEmpty();
        return same ? new SubmitOutcome.SubmittedBefore(before) : new SubmitOutcome.KeyReused(before);
    }

    /** Queued changes of a cluster that is to be destroyed are pointless. */
    private static List<Ending> superseded(Cluster cluster) {
        var error = JobError.of(JobError.SUPERSEDED, "A destroy of the cluster was submitted.");
        return cluster.queue().stream()
                .filter(job -> job.type() == JobType.SCALE_WORKERS && !job.isStarted())
                .map(job -> new Ending(job.id(), JobStatus.CANCELLED, error))
                .toList();
    }

    /** Ends the jobs at the head of the queue whose turn has come and that the cluster's status does not allow. */
    private <O> Decision<O> settle(
            O outcome,
            Cluster before,
            Cluster after,
            JobChange job,
            Optional<LockStep> lock,
            Optional<WorkerStep> worker,
            Instant now) {
        var endings = new ArrayList<Ending>();
        var settled = after;
        while (settled.claimable().isPresent()
                && !settled.admits(settled.claimable().get())) {
            var head = settled.claimable().get();
            endings.add(new Ending(head.id(), JobStatus.FAILED, illegalState(settled)));
            settled = settled.without(head.id());
        }
        var changes = new Changes(
                Optional.of(new ClusterChange(Optional.of(before), settled.writtenAt(now))),
                List.of(job),
                lock,
                worker);
        return new Decision<>(outcome, Optional.of(changes), endings);
    }

    private static <O> Decision<O> decide(
            O outcome, Cluster before, Cluster after, JobChange job, List<Ending> endings, Instant now) {
        var change = new ClusterChange(Optional.of(before), after.writtenAt(now));
        return new Decision<>(outcome, Optional.of(Changes.of(change, List.of(job))), endings);
    }

    private static Cluster without(Cluster cluster, List<Ending> endings) {
        var rest = cluster;
        for (var ending : endings) {
            rest = rest.without(ending.job());
        }
        return rest;
    }

    private static JobError illegalState(Cluster cluster) {
        return JobError.of(
                JobError.ILLEGAL_STATE, "The cluster was " + cluster.status() + " when the job's turn came.");
    }

    private AcquireRequest request(Job job, WorkerName worker) {
        var ttl = Durations.min(terms.lease(), job.order().deadline());
        var ref = new LeaseRef(job.cluster().lock(), LockId.random(), worker.owner());
        var labels = new Labels(
                LockType.CLUSTER,
                Optional.empty(),
                Map.of("job_id", job.id().value(), "job_type", job.type().name()));
        return AcquireRequest.once(ref, AttemptId.random(), AcquireRequest.Terms.of(ttl), labels);
    }

    /** Whether the run's lease is active and has not expired. */
    private boolean isHeld(Snapshot seen, Run run, Instant now) {
        var cluster = seen.cluster().id();
        return locks.renew(seen.lock(), run.claim(cluster), Renewal.by(Optional.empty()), now)
                        .outcome()
                instanceof RenewOutcome.Renewed;
    }

    /** Whether the lock's record has the lease of this run, expired or not. */
    private static boolean isLockOf(Optional<LockRecord> lock, Run run) {
        return lock.filter(record -> record.end().isEmpty())
                .filter(record -> record.lease().token().value() == run.epoch())
                .filter(record -> record.lease().id().equals(run.lockId()))
                .isPresent();
    }

    private Optional<LockStep> release(Snapshot seen, Run run, Instant now) {
        if (!isLockOf(seen.lock(), run)) {
            return Optional.empty();
        }
        var claim = run.claim(seen.cluster().id());
        return locks.release(seen.lock(), claim, now)
                .write()
                .map(after -> new LockStep.Release(claim, seen.lock(), after));
    }

    private static Optional<WorkerStep> stops(Job job, Run run) {
        return Optional.of(new WorkerStep.Stops(run.worker(), job.id()));
    }
}
