package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;

public sealed interface CreateOutcome {
    record Created(Cluster cluster) implements CreateOutcome {}

    /** A cluster with this id and the same name, labels and TTL exists already. */
    record CreatedBefore(Cluster cluster) implements CreateOutcome {}

    /** Another active cluster has the name. Nothing was changed. */
    record NameTaken(ClusterId by) implements CreateOutcome {}

    /** The id belongs to a cluster with another name, other labels or another TTL. Nothing was changed. */
    record IdTaken(Cluster by) implements CreateOutcome {}
}
