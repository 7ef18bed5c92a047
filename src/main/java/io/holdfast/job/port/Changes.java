package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.WorkerName;
import java.util.List;
import java.util.Optional;

/** The writes of one decision. They are made together, and only if each record is still as it was read. */
public record Changes(
        Optional<ClusterChange> cluster, List<JobChange> jobs, Optional<LockStep> lock, Optional<WorkerStep> worker) {

    /** @param before absent if the cluster is new */
    public record ClusterChange(Optional<Cluster> before, Cluster after) {}

    /** @param before absent if the job is new */
    public record JobChange(Optional<Job> before, Job after) {}

    /** What changes in the note of which job a worker runs. */
    public sealed interface WorkerStep {
        WorkerName worker();

        JobId job();

        /** The worker starts the job. It must not run another one. */
        record Starts(WorkerName worker, JobId job) implements WorkerStep {}

        /** The worker no longer runs the job. */
        record Stops(WorkerName worker, JobId job) implements WorkerStep {}
    }

    public Changes {
        jobs = List.copyOf(jobs);
    }

    static Changes of(ClusterChange cluster, List<JobChange> jobs) {
        return new Changes(Optional.of(cluster), jobs, Optional.empty(), Optional.empty());
    }

    /** The changes of a run that continues. */
    static Changes ofRun(JobChange job, LockStep.Renew renewal) {
        return new Changes(Optional.empty(), List.of(job), Optional.of(renewal), Optional.empty());
    }
}
