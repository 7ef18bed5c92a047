package io.holdfast.job.dispatch;

import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.DueWork;
import java.time.Duration;
import java.util.Set;

/**
 * A worker that asks for a job.
 *
 * @param types what it can do; not empty
 * @param labels what the cluster must have
 * @param waitFor how long it waits if there is nothing to do
 */
public record ClaimRequest(WorkerName worker, Set<JobType> types, ClusterLabels labels, Duration waitFor) {
    public ClaimRequest {
        types = Set.copyOf(types);
    }

    boolean accepts(DueWork work) {
        return types.contains(work.type()) && work.labels().include(labels);
    }
}
