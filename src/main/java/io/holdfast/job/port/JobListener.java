package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.Run;
import java.time.Instant;

/** Receives each step of a job, after it was written. Must not block or throw. */
public interface JobListener {
    void created(Cluster cluster);

    void submitted(Job job);

    void claimed(Job job, Run run);

    void heartbeat(Job job, Run run);

    /** A worker has ended its run: with success, for good, or until the next attempt. */
    void finished(Job job, Run run);

    /** The janitor has ended a run. */
    void rescued(Job job, Run run);

    /** A job has ended without a run: its turn came in a status that does not allow it, or it was superseded. */
    void ended(Job job);

    void cancelRequested(Job job);

    void cancelled(Job job);

    void retried(Job job, String reason);

    /** A report of a worker was refused, because the worker no longer runs the job. */
    void refused(String operation, Job job, long epoch);

    /** A claim of due work did not succeed. */
    void notClaimed(Contention reason);

    /** A claim was undone, because the worker's connection had ended before it could be told. */
    void unclaimed(Job job);

    /** The janitor has counted all jobs. */
    void counted(JobCounts counts, Instant now);

    /** The number of jobs is unknown at this replica: another one counts, or the count failed. */
    void notCounted();

    enum Contention {
        /** A client holds the lock of the cluster. */
        LOCKED,
        /** Another worker was faster. */
        LOST
    }
}
