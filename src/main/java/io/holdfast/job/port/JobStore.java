package io.holdfast.job.port;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores clusters and jobs, and the locks of clusters together with them.
 *
 * <p>Reads are strongly consistent. A failure is a {@link io.holdfast.kernel.StoreUnavailableException} or a
 * programming error. Nothing happens before subscription.
 *
 * <p>The store keeps an index of claimable work, ordered by time, for each {@link Section}: the first job of a
 * cluster's queue is in it unless it runs. So the cost of finding work does not depend on the number of jobs.
 */
public interface JobStore {
    /**
     * Makes all changes, durably and in one atomic step, or none. False if a record has changed since it was read, if
     * the name of a cluster or the key of a job is taken, or if the worker that starts a job runs another one.
     *
     * @param until ended jobs, destroyed clusters and keys may be deleted after this time
     */
    Uni<Boolean> commit(Changes changes, Instant now, Instant until);

    Uni<Optional<Cluster>> findCluster(ClusterId id);

    Uni<Optional<Job>> findJob(JobId id);

    /** The jobs that exist, in the order of {@code ids}. */
    Uni<List<Job>> findJobs(Collection<JobId> ids);

    /** A cluster with its lock and with those of these jobs that exist. */
    Uni<Optional<Snapshot>> snapshot(ClusterId id, Collection<JobId> jobs);

    /** The active cluster with this name. */
    Uni<Optional<ClusterId>> findName(ClusterName name);

    /** The job that was submitted to the cluster with this key. */
    Uni<Optional<JobId>> findKey(ClusterId cluster, String key);

    /** The jobs that these workers run. */
    Uni<Map<WorkerName, JobId>> findClaims(Collection<WorkerName> workers);

    /** Work of one section that is due, the oldest first. */
    Uni<Page<DueWork>> due(Section section, int limit, Optional<Cursor> after, Instant now);

    /** Clusters whose TTL is over and for which the janitor has not submitted a job yet, the oldest first. */
    Uni<Page<ClusterId>> expired(int shard, int limit, Optional<Cursor> after, Instant now);

    /** Running jobs. */
    Uni<Page<JobId>> running(int shard, int limit, Optional<Cursor> after);

    Uni<Page<Job>> jobs(JobQuery query);

    Uni<Page<Cluster>> clusters(ClusterQuery query);

    /** Counts all jobs. Its cost grows with their number. */
    Uni<JobCounts> count(Instant now);

    /** Deletes some records whose time to be kept is over; false if there may be more. */
    Uni<Boolean> purge(int limit, Instant now);

    /** False while the local clock is suspect. Then no lease may be treated as expired. */
    boolean trustsClock();

    /** The index is divided, so that many replicas do not write to the same place. */
    int SHARDS = 4;

    /** A part of the index of claimable work. */
    record Section(JobType type, int shard) {}

    /** The part of the index to which a cluster or a job belongs. */
    static int shardOf(Object id) {
        return Math.floorMod(id.toString().hashCode(), SHARDS);
    }
}
