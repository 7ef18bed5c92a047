package io.holdfast.job.action;

import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.ClaimOutcome;
import io.holdfast.job.port.Decision;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobListener;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.Snapshot;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Claims the job of one cluster for a worker, tells a worker again of its job, and undoes a claim. */
public final class Claims {
    private final JobStore store;
    private final JobTransactions transactions;
    private final JobListener listener;

    public Claims(JobStore store, JobTransactions transactions, JobListener listener) {
        this.store = store;
        this.transactions = transactions;
        this.listener = listener;
    }

    /**
     * Tries to claim due work. Not repeated if another worker was faster: then other work is more likely to be free.
     *
     * @param allowed the clusters whose jobs the worker may get
     */
    public Uni<ClaimOutcome> claim(DueWork work, WorkerName worker, Predicate<ClusterId> allowed) {
        return transactions
                .runOnce(
                        (rules, now) -> store.snapshot(work.cluster(), List.of(work.job()))
                                .map(found -> found.map(seen -> rules.claims().claim(seen, work.job(), worker, now))
                                        .orElseGet(Claims::notClaimable)),
                        Uni.createFrom().deferred(() -> whyNot(work, worker, allowed)))
                .invoke(this::report);
    }

    /** Finds out why a claim was not written. */
    private Uni<ClaimOutcome> whyNot(DueWork work, WorkerName worker, Predicate<ClusterId> allowed) {
        return store.findClaims(List.of(worker)).chain(claims -> {
            var running = Optional.ofNullable(claims.get(worker));
            return running.isPresent() ? claimAgain(running.get(), worker, allowed) : endIfNameIsTaken(work);
        });
    }

    /** A destroy makes a failed cluster active again, for which its name must be free. */
    private Uni<ClaimOutcome> endIfNameIsTaken(DueWork work) {
        return transactions.runOnce(
                (rules, now) -> store.snapshot(work.cluster(), List.of(work.job()))
                        .chain(found -> found.filter(seen -> seen.cluster().status() == ClusterStatus.FAILED)
                                .map(seen -> isNameTaken(seen)
                                        .map(taken -> taken
                                                ? rules.claims().refuseForName(seen, work.job(), now)
                                                : Claims.notClaimable()))
                                .orElseGet(() -> Uni.createFrom().item(notClaimable()))),
                Uni.createFrom().item(new ClaimOutcome.NotClaimable()));
    }

    private Uni<Boolean> isNameTaken(Snapshot seen) {
        return store.findName(seen.cluster().name())
                .map(by -> by.filter(id -> !id.equals(seen.cluster().id())).isPresent());
    }

    /**
     * Tells a worker again of the job that it runs, if its lease has not expired.
     *
     * @param allowed a job of another cluster is that of another worker with the same name
     */
    public Uni<ClaimOutcome> claimAgain(JobId job, WorkerName worker, Predicate<ClusterId> allowed) {
        return transactions
                .<ClaimOutcome>onJob(
                        job,
                        (rules, seen, found, now) -> allowed.test(seen.cluster().id())
                                ? rules.claims().claimAgain(seen, job, worker, now)
                                : busy(job))
                .map(outcome -> outcome.orElseGet(ClaimOutcome.NotClaimable::new));
    }

    /** Undoes a claim that no worker was told of, unless the worker has asked again meanwhile. */
    public Uni<Boolean> undo(Claim claim) {
        var before = claim.undo();
        if (before.isEmpty()) {
            return Uni.createFrom().item(false);
        }
        return transactions
                .onJob(claim.job().id(), (rules, seen, found, now) -> rules.claims()
                        .unclaim(seen, claim.job(), before.get(), now))
                .map(undone -> undone.flatMap(Function.identity()))
                .invoke(undone -> undone.ifPresent(job -> reportUndone(claim.job(), job)))
                .map(Optional::isPresent);
    }

    /** The job may have been cancelled or superseded while it was claimed. Then it has ended. */
    private void reportUndone(Job claimed, Job after) {
        listener.unclaimed(claimed);
        if (after.cancellation().isPresent()) {
            listener.cancelled(after);
        } else if (after.status().isEnded()) {
            listener.ended(after);
        }
    }

    private void report(ClaimOutcome outcome) {
        switch (outcome) {
            case ClaimOutcome.Claimed claimed ->
                listener.claimed(claimed.job(), claimed.job().currentRun().orElseThrow());
            case ClaimOutcome.Locked locked -> listener.notClaimed(JobListener.Contention.LOCKED);
            case ClaimOutcome.NotClaimable lost -> listener.notClaimed(JobListener.Contention.LOST);
            case ClaimOutcome.Ended ended -> listener.ended(ended.job());
            case ClaimOutcome.ClaimedBefore before -> {}
            case ClaimOutcome.WorkerBusy busy -> {}
        }
    }

    private static Decision<ClaimOutcome> busy(JobId job) {
        return new Decision<>(new ClaimOutcome.WorkerBusy(job), Optional.empty(), List.of());
    }

    private static Decision<ClaimOutcome> notClaimable() {
        return new Decision<>(new ClaimOutcome.NotClaimable(), Optional.empty(), List.of());
    }
}
