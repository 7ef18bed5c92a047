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

    /**
     * The TTL of the cluster is over: submits a destroy, unless one is queued. Not while the local clock is suspect.
     */
    public Decision<Optional<Job>> expire(Cluster cluster, Instant now) {
        var over = cluster.life().expiresAt().filter(at -> !at.isAfter(now)).isPresent()
                && !cluster.life().expiryHandled()
                && cluster.queue().stream().noneMatch(job -> job.type().destroys());
        if (!over || !locks.takeovers()) {
            return Decision.refuse(Optional.empty());
        }
        if (cluster.status() == ClusterStatus.PENDING && cluster.queue().isEmpty()) {
            // It was never created, so there is nothing to destroy.
            var gone = cluster.withExpiryHandled(true)
                    .withStatus(ClusterStatus.DESTROYED)
                    .writtenAt(now);
            var change = new ClusterChange(Optional.of(cluster), gone);
            return new Decision<>(Optional.empty(), Optional.of(Changes.of(change, List.of())), List.of());
        }
        var wanted = new NewJob(JobType.JANITOR_DESTROY, "{}", Optional.empty(), Optional.empty());
        var decision = submit(cluster.withExpiryHandled(true), wanted, Optional.empty(), now);
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
                new ClaimOutcome.Ended(ended),
                cluster,
                ended(cluster, QueuedJob.of(job)),
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
        var job = seen.job(claimed.id()).filter(found -> isAsClaimed(found, claimed));
        if (job.isEmpty()) {
            return Decision.refuse(false);
        }
        var run = job.get().currentRun().orElseThrow();
        var unclaimed = job.get().unclaimed(before.job());
        var restored = seen.cluster().updated(unclaimed, before.cluster()).startedLastBy(before.lastStarted());
        var stops = Optional.<WorkerStep>of(new WorkerStep.Stops(run.worker(), claimed.id()));
        if (unclaimed.cancellation().isEmpty()) {
            return settle(
                    true, seen.cluster(), restored, new JobChange(job, unclaimed), release(seen, run, now), stops, now);
        }
        var error =
                JobError.of(JobError.CANCELLED, unclaimed.cancellation().get().reason());
        var cancelled = unclaimed.ended(
                JobStatus.CANCELLED, Optional.empty(), new Job.End(now, Optional.of(error), Optional.empty()));
        return settle(
                true,
                seen.cluster(),
                restored.without(claimed.id()),
                new JobChange(job, cancelled),
                release(seen, run, now),
                stops,
                now);
    }

    /** Whether nothing has happened since the claim, or only a request to cancel the job. */
    private static boolean isAsClaimed(Job found, Job claimed) {
        var cancelled = claimed.cancellation().isEmpty() && found.cancellation().isPresent();
        return found.version() == claimed.version() + (cancelled ? 1 : 0)
                && found.currentRun().isPresent();
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
        var renewal = run.isConfirmed() ? Optional.<LockStep.Renew>empty() : renew(seen, run, now);
        if (renewal.isEmpty()) {
            return Decision.refuse(new ClaimOutcome.WorkerBusy(id));
        }
        // The new version keeps an older claim from being undone.
        var told = job.get().with(run.extended(renewal.get().after().lease().expiresAt()));
        return new Decision<>(
                new ClaimOutcome.ClaimedBefore(told, seen.cluster()),
                Optional.of(new Changes(
                        Optional.empty(),
                        List.of(new JobChange(job, told)),
                        Optional.of(renewal.get()),
                        Optional.empty())),
                List.of());
    }

    public Decision<HeartbeatOutcome> heartbeat(
            Snapshot seen, Job job, long epoch, Optional<Progress> progress, Instant now) {
        var current = job.currentRun().filter(run -> run.epoch() == epoch);
        if (current.isEmpty()) {
            return Decision.refuse(new HeartbeatOutcome.StaleEpoch(job));
        }
        var run = current.get();
        var renewal = renew(seen, run, now);
        if (renewal.isEmpty()) {
            return Decision.refuse(new HeartbeatOutcome.StaleEpoch(job));
        }
        var step = renewal.get();
        var beating = job.with(run.heartbeat(now, step.after().lease().expiresAt(), progress));
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
            decision = closed(seen, run, failed(seen, job.get(), run, Run.Result.LOCK_LOST, error, false, now));
        } else {
            return Decision.refuse(new RescueOutcome.Alive());
        }
        return new Decision<>(
                new RescueOutcome.Rescued(decision.outcome(), run), decision.changes(), decision.endings());
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
        // It may start again where it failed, unless another job starts before it.
        var possible = cluster.queue().isEmpty()
                ? cluster.admits(place)
                : cluster.possibleAfterQueue().stream().anyMatch(job.type()::startsFrom);
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
            settled = ended(settled, head);
        }
        var changes = new Changes(
                Optional.of(new ClusterChange(Optional.of(before), settled.writtenAt(now))),
                List.of(job),
                lock,
                worker);
        return new Decision<>(outcome, Optional.of(changes), endings);
    }

    /** Removes a job that ends before it could start. If it was the janitor's, the janitor may submit another one. */
    private static Cluster ended(Cluster cluster, QueuedJob job) {
        var rest = cluster.without(job.id());
        return job.type() == JobType.JANITOR_DESTROY ? rest.withExpiryHandled(false) : rest;
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

    /** Renews the lease of a run, at most until its deadline. Empty if the lease has expired or was lost. */
    private Optional<LockStep.Renew> renew(Snapshot seen, Run run, Instant now) {
        var ttl = Durations.min(terms.lease(), Duration.between(now, run.deadline()));
        if (!ttl.isPositive()) {
            return Optional.empty();
        }
        var claim = run.claim(seen.cluster().id());
        var renewed = locks.renew(seen.lock(), claim, Renewal.by(Optional.of(ttl)), now);
        return renewed.outcome() instanceof RenewOutcome.Renewed
                ? renewed.write().map(after -> new LockStep.Renew(claim, seen.lock(), after))
                : Optional.empty();
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
