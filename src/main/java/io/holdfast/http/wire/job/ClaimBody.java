package io.holdfast.http.wire.job;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The job that a worker has claimed, with its cluster.
 *
 * @param epoch the fencing token of the cluster's lock, which each report of the worker must name
 */
@RegisterForReflection
public record ClaimBody(JobBody job, ClusterBody cluster, long epoch, JobLeaseBody lease) {}
