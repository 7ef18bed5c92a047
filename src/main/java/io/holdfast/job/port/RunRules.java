package io.holdfast.job.port;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.Progress;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.Changes.JobChange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a worker may report of its run: a heartbeat, a success or a failure, with its epoch and in its lease. */
public record RunRules(ClusterLockRules lock, RunEndRules runEnds) {

    public Decision<HeartbeatOutcome> heartbeat(
            Snapshot seen, Job job, long epoch, Optional<Progress> progress, Instant now) {
        var current = job.currentRun().filter(run -> run.epoch() == epoch);
        var renewal = current.flatMap(run -> lock.renew(seen, run, now));
        if (renewal.isEmpty()) {
            return Decision.refuse(new HeartbeatOutcome.StaleEpoch(job));
        }
        var leaseUntil = renewal.get().after().lease().expiresAt();
        var beating = job.with(current.get().heartbeat(now, leaseUntil, progress));
        return new Decision<>(
                new HeartbeatOutcome.Extended(beating),
                Optional.of(Changes.ofRun(new JobChange(Optional.of(job), beating), renewal.get())),
                List.of());
    }

    public Decision<FinishOutcome> finish(Snapshot seen, Job job, long epoch, Finish finish, Instant now) {
        var current = job.currentRun().filter(run -> run.epoch() == epoch);
        if (current.isEmpty()) {
            return Decision.refuse(
                    isReported(job, epoch, finish)
                            ? new FinishOutcome.FinishedBefore(job)
                            : new FinishOutcome.StaleEpoch(job));
        }
        if (!lock.isHeld(seen, current.get(), now)) {
            return Decision.refuse(new FinishOutcome.StaleEpoch(job));
        }
        return switch (finish) {
            case Finish.Complete complete -> complete(seen, job, complete, now);
            case Finish.Fail fail -> {
                var failure = new RunEndRules.Failure(Run.Result.FAILED, fail.error(), fail.retryable());
                var failed = runEnds.fail(seen, job, failure, now);
                yield new Decision<>(new FinishOutcome.Finished(failed.outcome()), failed.changes(), failed.endings());
            }
        };
    }

    /** Whether the run with this epoch has ended with the same report. */
    private static boolean isReported(Job job, long epoch, Finish finish) {
        return job.runOf(epoch)
                .flatMap(Run::end)
                .filter(end -> end.result() == finish.runResult())
                .isPresent();
    }

    private Decision<FinishOutcome> complete(Snapshot seen, Job job, Finish.Complete complete, Instant now) {
        var end = new Run.End(now, Run.Result.COMPLETED, Optional.empty(), Optional.empty());
        var done = job.ended(
                JobStatus.SUCCEEDED,
                job.currentRun().map(run -> run.ended(end)),
                new Job.End(now, Optional.empty(), complete.result()));
        var after = seen.cluster().withStatus(job.type().done()).without(job.id());
        return runEnds.end(new FinishOutcome.Finished(done), seen, new JobChange(Optional.of(job), done), after, now);
    }
}
