package io.holdfast.store.dynamodb.job;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.Changes.WorkerStep;
import io.holdfast.job.port.ClusterQuery;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobCounts;
import io.holdfast.job.port.JobQuery;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.LockStep;
import io.holdfast.job.port.Snapshot;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.port.LockRules;
import io.holdfast.store.codec.JobEntries;
import io.holdfast.store.dynamodb.call.ClockGuard;
import io.holdfast.store.dynamodb.call.DynamoDbBatch;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Transaction;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.lock.LockInTransaction;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Clusters and jobs in a DynamoDB table. A commit is one transaction, which contains the lock as well. The request has
 * a client token, so the retry of a commit whose answer was lost is answered as done.
 *
 * <p>The index consists of separate items, which a commit writes with the records. A read of several items is not of
 * one moment. Each write is conditional on what was read, so a decision on mixed reads is not written.
 */
public final class DynamoDbJobStore implements JobStore {
    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final ClockGuard clock;
    private final DynamoDbReads reads;
    private final DynamoDbBatch batch;
    private final JobWrites writes;
    private final JobLists lists;

    public DynamoDbJobStore(
            DynamoDbAsyncClient client, DynamoDbCalls calls, ClockGuard clock, String table, LockRules rules) {
        this.client = client;
        this.calls = calls;
        this.clock = clock;
        this.reads = new DynamoDbReads(client, calls, table);
        this.batch = new DynamoDbBatch(client, calls, table);
        this.writes = new JobWrites(table, new LockInTransaction(table, rules));
        this.lists = new JobLists(reads, batch);
    }

    /**
     * A transaction that is cancelled by a conflict with another one is answered like a refused condition: the caller
     * reads again. By a clock that is behind, no lease is granted or prolonged.
     */
    @Override
    public Uni<Boolean> commit(Changes changes, Instant now, Instant until) {
        return Uni.createFrom().deferred(() -> {
            var asked = clock.read();
            if (changes.lock().filter(DynamoDbJobStore::isTimed).isPresent() && clock.isBehind(asked)) {
                return Uni.createFrom().failure(clock.behind());
            }
            var request = writes.commit(changes, !clock.isOff(asked), now, until);
            if (request.transactItems().isEmpty()) {
                return Uni.createFrom().item(true);
            }
            var last = request.transactItems().size() - 1;
            return calls.transact("commit_job", () -> client.transactWriteItems(request))
                    .chain(result -> switch (result) {
                        case Transaction.Done done -> Uni.createFrom().item(true);
                        case Transaction.Cancelled cancelled ->
                            stops(changes) && cancelled.refusedOnly(last)
                                    ? commit(withoutWorker(changes), now, until)
                                    : Uni.createFrom().item(false);
                    });
        });
    }

    private static boolean isTimed(LockStep step) {
        return switch (step) {
            case LockStep.Grant grant -> true;
            case LockStep.Renew renew -> true;
            case LockStep.Release release -> false;
            case LockStep.Unchanged unchanged -> false;
        };
    }

    private static boolean stops(Changes changes) {
        return changes.worker().filter(WorkerStep.Stops.class::isInstance).isPresent();
    }

    /** For the end of a run whose worker is noted to run another job. That note stays. */
    private static Changes withoutWorker(Changes changes) {
        return new Changes(changes.cluster(), changes.jobs(), changes.lock(), Optional.empty());
    }

    @Override
    public Uni<Optional<Cluster>> findCluster(ClusterId id) {
        return find("find_cluster", JobItem.key(id), JobItem::cluster);
    }

    @Override
    public Uni<Optional<Job>> findJob(JobId id) {
        return find("find_job", JobItem.key(id), JobItem::job);
    }

    @Override
    public Uni<List<Job>> findJobs(Collection<JobId> ids) {
        return lists.findJobs(ids);
    }

    @Override
    public Uni<Optional<Snapshot>> snapshot(ClusterId id, Collection<JobId> jobs) {
        var keys = new ArrayList<>(List.of(JobItem.key(id), LockInTransaction.key(id.lock())));
        jobs.forEach(job -> keys.add(JobItem.key(job)));
        return batch.find("snapshot_cluster", keys).map(items -> {
            var found = new HashMap<JobId, Job>();
            jobs.forEach(job -> Optional.ofNullable(items.get(JobItem.key(job)))
                    .ifPresent(item -> found.put(job, JobItem.job(item))));
            return Optional.ofNullable(items.get(JobItem.key(id)))
                    .map(item -> new Snapshot(
                            JobItem.cluster(item),
                            found,
                            LockInTransaction.read(items.get(LockInTransaction.key(id.lock())))));
        });
    }

    @Override
    public Uni<Optional<ClusterId>> findName(ClusterName name) {
        return find("find_name", JobItem.key(JobEntries.name(name)), item -> new ClusterId(JobItem.value(item)));
    }

    @Override
    public Uni<Optional<JobId>> findKey(ClusterId cluster, String key) {
        return find("find_job_key", JobItem.key(JobEntries.key(cluster, key)), item -> new JobId(JobItem.value(item)));
    }

    @Override
    public Uni<Map<WorkerName, JobId>> findClaims(Collection<WorkerName> workers) {
        return batch.find("find_claims", workers.stream().map(JobItem::key).toList())
                .map(items -> {
                    var found = new HashMap<WorkerName, JobId>();
                    workers.forEach(worker -> Optional.ofNullable(items.get(JobItem.key(worker)))
                            .ifPresent(item -> found.put(worker, JobItem.jobOfWorker(item))));
                    return Map.copyOf(found);
                });
    }

    @Override
    public Uni<Page<DueWork>> due(Section section, int limit, Optional<Cursor> after, Instant now) {
        return lists.due(section, limit, after, now);
    }

    @Override
    public Uni<Page<ClusterId>> expired(int shard, int limit, Optional<Cursor> after, Instant now) {
        return lists.expired(shard, limit, after, now);
    }

    @Override
    public Uni<Page<JobId>> running(int shard, int limit, Optional<Cursor> after) {
        var section =
                new DynamoDbReads.Section(JobItem.partition(JobEntries.status(JobStatus.RUNNING, shard)), limit, after);
        return reads.page("list_running", section, item -> new JobId(JobItem.sort(item)));
    }

    @Override
    public Uni<Page<Job>> jobs(JobQuery query) {
        return lists.jobs(query);
    }

    @Override
    public Uni<Page<Cluster>> clusters(ClusterQuery query) {
        return lists.clusters(query);
    }

    /**
     * Reads the index entries of all jobs that are QUEUED, WAITING or DEAD, about 35 of them per read unit, and the
     * first entry of each section of claimable work: at least 28 queries.
     */
    @Override
    public Uni<JobCounts> count(Instant now) {
        return lists.count(now);
    }

    /** Nothing to do: DynamoDB deletes the items by their TTL. */
    @Override
    public Uni<Boolean> purge(int limit, Instant now) {
        return Uni.createFrom().item(true);
    }

    /** The offset of the clock is unknown before DynamoDB's first answer. */
    @Override
    public boolean trustsClock() {
        return clock.isKnown() && !clock.clockIsOff();
    }

    private <T> Uni<Optional<T>> find(
            String operation, Map<String, AttributeValue> key, Function<Map<String, AttributeValue>, T> read) {
        return reads.get(operation, key)
                .map(item -> Optional.of(item).filter(found -> !found.isEmpty()).map(read));
    }
}
