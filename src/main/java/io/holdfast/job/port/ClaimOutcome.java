package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.lock.port.AcquireOutcome;
import java.util.Optional;

/** The result of trying to claim the next job of one cluster. */
public sealed interface ClaimOutcome {
    /** @param before how to undo the claim if no worker can be told of it */
    record Claimed(Job job, Cluster cluster, Before before) implements ClaimOutcome {}

    /** The worker already runs this job. */
    record ClaimedBefore(Job job, Cluster cluster) implements ClaimOutcome {}

    /** The job could not run any more, and has ended. The next one of the cluster may be claimable. */
    record Ended(Job job) implements ClaimOutcome {}

    /**
     * The worker runs another job: it has sent a heartbeat for it, or the lease has expired and the janitor has not
     * ended the run yet. Two processes may use the same name.
     */
    record WorkerBusy(JobId job) implements ClaimOutcome {}

    /** The lock of the cluster is held or reserved by a client, not by a job. */
    record Locked(AcquireOutcome lock) implements ClaimOutcome {}

    /** There is no such job to claim: another worker was faster, or it is not due. */
    record NotClaimable() implements ClaimOutcome {}

    /** The states before the claim. */
    record Before(JobStatus job, ClusterStatus cluster, Optional<JobId> lastStarted) {}
}
