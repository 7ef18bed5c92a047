package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.lock.model.LockRecord;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster, some of its jobs, and its lock, as they were read. The reads need not be of the same moment: a write is
 * conditional on each record that it depends on.
 */
public record Snapshot(Cluster cluster, Map<JobId, Job> jobs, Optional<LockRecord> lock) {
    public Snapshot {
        jobs = Map.copyOf(jobs);
    }

    public Optional<Job> job(JobId id) {
        return Optional.ofNullable(jobs.get(id));
    }
}
