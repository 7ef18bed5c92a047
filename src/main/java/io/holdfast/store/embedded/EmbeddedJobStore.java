package io.holdfast.store.embedded;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
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
import io.holdfast.lock.model.LockRecord;
import io.holdfast.store.codec.JobEntries;
import io.holdfast.store.embedded.engine.EmbeddedDatabase;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Clusters and jobs in the embedded database. One writer checks and makes each commit, so it is atomic. */
final class EmbeddedJobStore implements JobStore {
    private final EmbeddedDatabase database;
    private final JobTables tables;
    private final EmbeddedJobLists lists;
    private final EmbeddedTable<LockRecord> locks;
    private final TokenFloor tokenFloor;

    EmbeddedJobStore(
            EmbeddedDatabase database, JobTables tables, EmbeddedTable<LockRecord> locks, TokenFloor tokenFloor) {
        this.database = database;
        this.tables = tables;
        this.lists = new EmbeddedJobLists(tables);
        this.locks = locks;
        this.tokenFloor = tokenFloor;
    }

    @Override
    public Uni<Boolean> commit(Changes changes, Instant now, Instant until) {
        return database.change(() -> {
            var index = JobEntries.of(changes, until);
            var possible = isUnchanged(changes)
                    && changes.lock().map(this::isUnchanged).orElse(true)
                    && changes.worker().map(this::isPossible).orElse(true)
                    && tables.index().allows(index.put(), now);
            if (possible) {
                put(changes);
                tables.index().write(index);
            }
            return possible;
        });
    }

    private boolean isUnchanged(Changes changes) {
        return changes.cluster().stream()
                        .allMatch(change -> hasVersion(
                                tables.clusters().get(change.after().id().value()), change.before(), Cluster::version))
                && changes.jobs().stream()
                        .allMatch(change -> hasVersion(
                                tables.jobs().get(change.after().id().value()), change.before(), Job::version));
    }

    private static <T> boolean hasVersion(Optional<T> stored, Optional<T> before, Function<T, Long> version) {
        return stored.map(version).equals(before.map(version));
    }

    /** A record that was purged meanwhile, or just before the snapshot, may have raised the floor of tokens. */
    private boolean isUnchanged(LockStep step) {
        return locks.get(step.name().value()).equals(step.seen())
                && (!(step instanceof LockStep.Grant grant)
                        || grant.seen().isPresent()
                        || grant.after().token().value() > tokenFloor.get());
    }

    private boolean isPossible(WorkerStep step) {
        return switch (step) {
            case WorkerStep.Starts starts ->
                tables.workers().get(starts.worker().value()).isEmpty();
            case WorkerStep.Stops stops -> true;
        };
    }

    private void put(Changes changes) {
        changes.cluster()
                .ifPresent(change -> tables.clusters().put(change.after().id().value(), change.after()));
        changes.jobs().forEach(change -> tables.jobs().put(change.after().id().value(), change.after()));
        changes.lock()
                .flatMap(LockStep::written)
                .ifPresent(record -> locks.put(record.name().value(), record));
        changes.worker().ifPresent(step -> {
            var worker = step.worker().value();
            var job = step.job().value();
            switch (step) {
                case WorkerStep.Starts starts -> tables.workers().put(worker, job);
                case WorkerStep.Stops stops ->
                    tables.workers().get(worker).filter(job::equals).ifPresent(found -> tables.workers()
                            .delete(worker));
            }
        });
    }

    @Override
    public Uni<Optional<Cluster>> findCluster(ClusterId id) {
        return database.read(() -> cluster(id));
    }

    @Override
    public Uni<Optional<Job>> findJob(JobId id) {
        return database.read(() -> job(id));
    }

    @Override
    public Uni<List<Job>> findJobs(Collection<JobId> ids) {
        return database.read(() -> jobs(ids));
    }

    @Override
    public Uni<Optional<Snapshot>> snapshot(ClusterId id, Collection<JobId> jobs) {
        return database.read(() -> cluster(id)
                .map(cluster -> new Snapshot(
                        cluster,
                        jobs(jobs).stream().collect(Collectors.toMap(Job::id, Function.identity())),
                        Optional.ofNullable(locks.committed().get(id.lock().value())),
                        tokenFloor.committed())));
    }

    @Override
    public Uni<Optional<ClusterId>> findName(ClusterName name) {
        return database.read(() -> tables.index().find(JobEntries.name(name)).map(ClusterId::new));
    }

    @Override
    public Uni<Optional<JobId>> findKey(ClusterId cluster, String key) {
        return database.read(
                () -> tables.index().find(JobEntries.key(cluster, key)).map(JobId::new));
    }

    @Override
    public Uni<Map<WorkerName, JobId>> findClaims(Collection<WorkerName> workers) {
        return database.read(() -> {
            var found = new HashMap<WorkerName, JobId>();
            for (var worker : workers) {
                var job = tables.workers().committed().get(worker.value());
                if (job != null) {
                    found.put(worker, new JobId(job));
                }
            }
            return Map.copyOf(found);
        });
    }

    @Override
    public Uni<Page<DueWork>> due(Section section, int limit, Optional<Cursor> after, Instant now) {
        return database.read(() -> lists.due(section, limit, after, now));
    }

    @Override
    public Uni<Page<ClusterId>> expired(int shard, int limit, Optional<Cursor> after, Instant now) {
        return database.read(() -> lists.expired(shard, limit, after, now));
    }

    @Override
    public Uni<Page<JobId>> running(int shard, int limit, Optional<Cursor> after) {
        return database.read(() -> lists.running(shard, limit, after));
    }

    @Override
    public Uni<Page<Job>> jobs(JobQuery query) {
        return database.read(() -> lists.jobs(query));
    }

    @Override
    public Uni<Page<Cluster>> clusters(ClusterQuery query) {
        return database.read(() -> lists.clusters(query));
    }

    @Override
    public Uni<JobCounts> count(Instant now) {
        return database.read(() -> lists.count(now));
    }

    @Override
    public Uni<Boolean> purge(int limit, Instant now) {
        return database.read(() -> tables.index().hasEnded(now))
                .chain(some -> some
                        ? database.change(() -> purgeNow(limit, now))
                        : Uni.createFrom().item(true));
    }

    /** Runs on the writer. Keys are deleted before the jobs that were submitted with them. */
    private boolean purgeNow(int limit, Instant now) {
        var purged = tables.index().purge(limit, now);
        for (var entry : purged) {
            switch (entry.kind()) {
                case STATUS -> tables.jobs().delete(entry.id());
                case DIRECTORY -> tables.clusters().delete(entry.id());
                case DUE, EXPIRY, NAME, KEY -> {}
            }
        }
        return purged.size() < limit;
    }

    /** The clock that grants leases is the one that ends them. */
    @Override
    public boolean trustsClock() {
        return true;
    }

    private Optional<Cluster> cluster(ClusterId id) {
        return Optional.ofNullable(tables.clusters().committed().get(id.value()));
    }

    private Optional<Job> job(JobId id) {
        return Optional.ofNullable(tables.jobs().committed().get(id.value()));
    }

    private List<Job> jobs(Collection<JobId> ids) {
        return ids.stream().flatMap(id -> job(id).stream()).toList();
    }
}
