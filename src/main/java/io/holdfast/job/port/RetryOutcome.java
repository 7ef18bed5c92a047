package io.holdfast.job.port;

import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import java.util.Set;

public sealed interface RetryOutcome {
    record Retried(Job job) implements RetryOutcome {}

    /** Only dead jobs can be retried. Nothing was changed. */
    record NotDead(Job job) implements RetryOutcome {}

    /** The cluster's status does not allow the job any more. Nothing was changed. */
    record Illegal(ClusterStatus from, ClusterStatus to, Set<ClusterStatus> allowed) implements RetryOutcome {}

    /** Nothing was changed. */
    record QueueFull(int queued) implements RetryOutcome {}

    record NoSuchJob() implements RetryOutcome {}
}
