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
 *
 * @param tokenFloor the first token of a lock without a record must be higher than this
 */
public record Snapshot(Cluster cluster, Map<JobId, Job> jobs, Optional<LockRecord> lock, long tokenFloor) {
    public Snapshot {
        jobs = Map.copyOf(jobs);
    }

    public Snapshot(Cluster cluster, Map<JobId, Job> jobs, Optional<LockRecord> lock) {
        this(cluster, jobs, lock, 0);
    }

    public Optional<Job> job(JobId id) {
        return Optional.ofNullable(jobs.get(id));
    }
}
