package io.holdfast.job.port;

import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import java.time.Instant;

/** The first job of a cluster's queue, which a worker may claim from {@code dueAt} on. */
public record DueWork(ClusterId cluster, JobId job, JobType type, Instant dueAt, ClusterLabels labels) {}
