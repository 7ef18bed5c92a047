package io.holdfast.job.port;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
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
import java.util.Map;
import java.util.Optional;

/**
 * How a run acquires, renews and releases the lock of its cluster.
 *
 * @param lease how long a claim is valid without a heartbeat
 */
public record ClusterLockRules(Duration lease, LockRules locks) {

    /** @param grant absent if the lock is not granted */
    record Acquired(AcquireOutcome outcome, Optional<LockStep.Grant> grant) {}

    /** Acquires the lock for a new run, at most for its deadline. */
    Acquired acquire(Snapshot seen, Job job, WorkerName worker, Instant now) {
        var request = request(job, worker);
        var decision = locks.withTokensAbove(seen.tokenFloor()).acquire(seen.lock(), request, now);
        var grant = decision.outcome() instanceof AcquireOutcome.Granted
                ? decision.write().map(after -> new LockStep.Grant(request, seen.lock(), after))
                : Optional.<LockStep.Grant>empty();
        return new Acquired(decision.outcome(), grant);
    }

    private AcquireRequest request(Job job, WorkerName worker) {
        var ttl = Durations.min(lease, job.order().deadline());
        var ref = new LeaseRef(job.cluster().lock(), LockId.random(), worker.owner());
        var labels = new Labels(
                LockType.CLUSTER,
                Optional.empty(),
                Map.of("job_id", job.id().value(), "job_type", job.type().name()));
        return AcquireRequest.once(ref, AttemptId.random(), AcquireRequest.Terms.of(ttl), labels);
    }

    /** Renews the lease of a run, at most until its deadline. Empty if the lease has expired or was lost. */
    Optional<LockStep.Renew> renew(Snapshot seen, Run run, Instant now) {
        var ttl = Durations.min(lease, Duration.between(now, run.deadline()));
        if (!ttl.isPositive()) {
            return Optional.empty();
        }
        var claim = run.claim(seen.cluster().id());
        return locks.renew(seen.lock(), claim, Renewal.by(Optional.of(ttl)), now)
                .write()
                .map(after -> new LockStep.Renew(claim, seen.lock(), after));
    }

    /** Whether the run's lease is active and has not expired. */
    boolean isHeld(Snapshot seen, Run run, Instant now) {
        var cluster = seen.cluster().id();
        return locks.renew(seen.lock(), run.claim(cluster), Renewal.by(Optional.empty()), now)
                        .outcome()
                instanceof RenewOutcome.Renewed;
    }

    /** Empty if the lock is not the run's any more: then there is nothing to release. */
    Optional<LockStep> release(Snapshot seen, Run run, Instant now) {
        var claim = run.claim(seen.cluster().id());
        return locks.release(seen.lock(), claim, now)
                .write()
                .map(after -> new LockStep.Release(claim, seen.lock(), after));
    }

    /** Whether the lock's record has the lease of this run, expired or not. */
    static boolean isOf(Optional<LockRecord> lock, Run run) {
        return lock.filter(record -> record.end().isEmpty())
                .filter(record -> record.lease().token().value() == run.epoch())
                .filter(record -> record.lease().id().equals(run.lockId()))
                .isPresent();
    }
}
