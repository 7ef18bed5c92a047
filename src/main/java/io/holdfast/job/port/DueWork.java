package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import java.time.Instant;
import java.util.Optional;

/** The first job of a cluster's queue, which a worker may claim from {@code dueAt} on. */
public record DueWork(ClusterId cluster, JobId job, JobType type, Instant dueAt, ClusterLabels labels) {
    /** Empty if no job of the cluster can be claimed. */
    public static Optional<DueWork> of(Cluster cluster) {
        return cluster.claimable()
                .map(first -> new DueWork(cluster.id(), first.id(), first.type(), first.dueAt(), cluster.labels()));
    }
}
