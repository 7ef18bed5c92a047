package io.holdfast.job.model;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt at a job: from the claim of a worker to its end.
 *
 * @param epoch the fencing token of the cluster's lock; a report with another epoch is refused
 * @param deadline when the lease ends at the latest; heartbeats do not extend it further
 * @param end absent while the job runs
 */
public record Run(
        int attempt,
        long epoch,
        WorkerName worker,
        LockId lockId,
        Instant startedAt,
        Instant heartbeatAt,
        Instant leaseUntil,
        Instant deadline,
        Optional<Progress> progress,
        Optional<End> end) {

    public enum Result {
        /** The worker reported success. */
        COMPLETED,
        /** The worker reported a failure. */
        FAILED,
        /** The janitor ended the run: its lease had expired. */
        TIMED_OUT,
        /** The janitor ended the run: its lock was gone. */
        LOCK_LOST
    }

    /** @param nextAttemptAt if the job is retried, when */
    public record End(Instant at, Result result, Optional<JobError> error, Optional<Instant> nextAttemptAt) {}

    /** Names the lease of this run, with its token. */
    public LeaseClaim claim(ClusterId cluster) {
        var ref = new LeaseRef(cluster.lock(), lockId, worker.owner());
        return LeaseClaim.of(ref).withToken(Optional.of(new FencingToken(epoch)));
    }

    public Duration remainingAt(Instant now) {
        return now.isBefore(leaseUntil) ? Duration.between(now, leaseUntil) : Duration.ZERO;
    }

    /** Whether the worker has sent a heartbeat, and so knows of its claim. */
    public boolean isConfirmed() {
        return heartbeatAt.isAfter(startedAt);
    }

    /** The worker is told of its claim again. */
    public Run extended(Instant newLeaseUntil) {
        return new Run(attempt, epoch, worker, lockId, startedAt, heartbeatAt, newLeaseUntil, deadline, progress, end);
    }

    /** @param reported replaces the progress so far, if present */
    public Run heartbeat(Instant now, Instant newLeaseUntil, Optional<Progress> reported) {
        var after = now.isAfter(startedAt) ? now : startedAt.plusMillis(1);
        return new Run(
                attempt,
                epoch,
                worker,
                lockId,
                startedAt,
                after,
                newLeaseUntil,
                deadline,
                reported.or(() -> progress),
                end);
    }

    public Run ended(End newEnd) {
        return new Run(
                attempt,
                epoch,
                worker,
                lockId,
                startedAt,
                heartbeatAt,
                leaseUntil,
                deadline,
                progress,
                Optional.of(newEnd));
    }
}
