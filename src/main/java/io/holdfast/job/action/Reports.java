package io.holdfast.job.action;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.Progress;
import io.holdfast.job.port.Finish;
import io.holdfast.job.port.FinishOutcome;
import io.holdfast.job.port.HeartbeatOutcome;
import io.holdfast.job.port.JobListener;
import io.holdfast.job.port.JobStore;
import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.function.Supplier;

/** What workers report of their runs. */
public final class Reports {
    private final JobStore store;
    private final JobTransactions transactions;
    private final JobListener listener;

    public Reports(JobStore store, JobTransactions transactions, JobListener listener) {
        this.store = store;
        this.transactions = transactions;
        this.listener = listener;
    }

    public Uni<HeartbeatOutcome> heartbeat(JobId id, long epoch, Optional<Progress> progress) {
        return transactions
                .<HeartbeatOutcome>onJob(
                        id, (rules, seen, job, now) -> rules.runs().heartbeat(seen, job, epoch, progress, now))
                .map(outcome -> outcome.orElseGet(HeartbeatOutcome.NoSuchJob::new))
                .invoke(outcome -> {
                    switch (outcome) {
                        case HeartbeatOutcome.Extended extended ->
                            listener.heartbeat(
                                    extended.job(), extended.job().currentRun().orElseThrow());
                        case HeartbeatOutcome.StaleEpoch stale -> listener.refused("heartbeat", stale.job(), epoch);
                        case HeartbeatOutcome.NoSuchJob none -> {}
                    }
                });
    }

    public Uni<FinishOutcome> finish(JobId id, long epoch, Finish finish) {
        return confirmedFinish(id, epoch, finish).invoke(outcome -> {
            switch (outcome) {
                case FinishOutcome.Finished finished ->
                    listener.finished(finished.job(), finished.job().lastRun().orElseThrow());
                case FinishOutcome.StaleEpoch stale -> listener.refused("finish", stale.job(), epoch);
                case FinishOutcome.FinishedBefore before -> {}
                case FinishOutcome.NoSuchJob none -> {}
            }
        });
    }

    /**
     * The reads of a decision need not be of the same moment. A repeated finish may see the job before the first finish
     * and the lock after it. So the loss of the lock counts only if the job has not changed since.
     */
    private Uni<FinishOutcome> confirmedFinish(JobId id, long epoch, Finish finish) {
        return transactions
                .<FinishOutcome>onJob(
                        id, (rules, seen, job, now) -> rules.runs().finish(seen, job, epoch, finish, now))
                .map(outcome -> outcome.orElseGet(FinishOutcome.NoSuchJob::new))
                .chain(outcome -> outcome instanceof FinishOutcome.StaleEpoch stale && isRunning(stale.job(), epoch)
                        ? unlessChanged(stale, () -> confirmedFinish(id, epoch, finish))
                        : Uni.createFrom().item(outcome));
    }

    private static boolean isRunning(Job job, long epoch) {
        return job.currentRun().filter(run -> run.epoch() == epoch).isPresent();
    }

    private Uni<FinishOutcome> unlessChanged(FinishOutcome.StaleEpoch stale, Supplier<Uni<FinishOutcome>> again) {
        return store.findJob(stale.job().id())
                .chain(found ->
                        found.map(Job::version).equals(Optional.of(stale.job().version()))
                                ? Uni.createFrom().item(stale)
                                : again.get());
    }
}
