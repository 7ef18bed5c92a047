package io.holdfast.job.port;

import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import java.util.List;
import java.util.Set;

public sealed interface SubmitOutcome {
    /** @param superseded jobs that the new one has made pointless; they have ended */
    record Submitted(Job job, List<Decision.Ending> superseded) implements SubmitOutcome {}

    /** An earlier submission with the same key. */
    record SubmittedBefore(Job job) implements SubmitOutcome {}

    record NoSuchCluster() implements SubmitOutcome {}

    /**
     * The job cannot become possible, however the jobs before it end. Nothing was changed.
     *
     * @param from the status after the jobs before it have succeeded
     */
    record Illegal(ClusterStatus from, ClusterStatus to, Set<ClusterStatus> allowed) implements SubmitOutcome {}

    /** The key belongs to a job with another type or other params. Nothing was changed. */
    record KeyReused(Job job) implements SubmitOutcome {}

    /** Nothing was changed. */
    record QueueFull(int queued) implements SubmitOutcome {}
}
