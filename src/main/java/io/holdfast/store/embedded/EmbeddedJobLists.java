package io.holdfast.store.embedded;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.port.ClusterQuery;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobCounts;
import io.holdfast.job.port.JobQuery;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStore.Section;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.store.codec.JobEntries;
import io.holdfast.store.codec.JobEntries.Key;
import io.holdfast.store.codec.JobEntries.Partition;
import io.holdfast.store.codec.JobEntries.StatusValue;
import io.holdfast.store.codec.JobTally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads the lists of clusters and jobs from what is committed. The position of a cursor is the last sort key. */
final class EmbeddedJobLists {
    private static final int EXAMINED_MAX = 1000;

    private final JobTables tables;

    EmbeddedJobLists(JobTables tables) {
        this.tables = tables;
    }

    Page<DueWork> due(Section section, int limit, Optional<Cursor> after, Instant now) {
        var partition = JobEntries.due(section);
        var sorts = tables.index().ascending(partition, position(after), JobEntries.endOfDue(now));
        return page(sorts, limit, sort -> dueWork(section, sort));
    }

    /**
     * From the cluster, since parsing the entry takes longer. Empty if the cluster has changed: its entry is about to
     * change too.
     */
    private Optional<DueWork> dueWork(Section section, String sort) {
        return Optional.ofNullable(tables.clusters().committed().get(JobEntries.dueCluster(sort)))
                .flatMap(DueWork::of)
                .filter(work -> work.type() == section.type() && JobEntries.isDueAt(sort, work.dueAt()));
    }

    Page<ClusterId> expired(int shard, int limit, Optional<Cursor> after, Instant now) {
        var partition = JobEntries.expiry(shard);
        var sorts = tables.index().ascending(partition, position(after), JobEntries.endOfDue(now));
        return page(sorts, limit, sort -> find(partition, sort).map(ClusterId::new));
    }

    Page<JobId> running(int shard, int limit, Optional<Cursor> after) {
        var sorts = tables.index().ascending(JobEntries.status(JobStatus.RUNNING, shard), position(after));
        return page(sorts, limit, sort -> Optional.of(new JobId(sort)));
    }

    Page<Job> jobs(JobQuery query) {
        return page(newestFirst(query), query.limit(), id -> Optional.ofNullable(
                        tables.jobs().committed().get(id))
                .filter(query::matches));
    }

    /** The ids of jobs that may match. */
    private Stream<String> newestFirst(JobQuery query) {
        var before = query.after().map(Cursor::position);
        if (query.cluster().isPresent()) {
            return Optional.ofNullable(tables.clusters()
                            .committed()
                            .get(query.cluster().get().value()))
                    .stream()
                    .flatMap(EmbeddedJobLists::jobsOf)
                    .filter(id -> before.filter(end -> id.compareTo(end) >= 0).isEmpty())
                    .sorted(Comparator.reverseOrder());
        }
        if (query.status().isPresent()) {
            var status = query.status().get();
            return shards().flatMap(shard -> tables.index()
                            .descending(JobEntries.status(status, shard), before)
                            .limit(EXAMINED_MAX))
                    .sorted(Comparator.reverseOrder());
        }
        var all = tables.jobs().committed();
        return before.map(end -> all.headMap(end, false)).orElse(all).descendingKeySet().stream();
    }

    private static Stream<String> jobsOf(Cluster cluster) {
        return Stream.concat(cluster.queue().stream().map(QueuedJob::id), cluster.endedJobs().stream())
                .map(JobId::value);
    }

    Page<Cluster> clusters(ClusterQuery query) {
        var partition = JobEntries.directory();
        var prefix = query.prefix();
        var after = query.after().map(Cursor::position).filter(position -> position.compareTo(prefix) > 0);
        var sorts = tables.index().ascending(partition, after.orElse(prefix), JobEntries.endOfPrefix(prefix));
        return page(sorts, query.limit(), sort -> find(partition, sort)
                .map(id -> tables.clusters().committed().get(id))
                .filter(query::matches));
    }

    JobCounts count(Instant now) {
        var tally = new JobTally();
        shards().forEach(shard -> {
            for (var status : JobTally.COUNTED) {
                var partition = JobEntries.status(status, shard);
                tables.index()
                        .ascending(partition, "")
                        .flatMap(sort -> find(partition, sort).stream())
                        .forEach(value -> tally.add(status, StatusValue.parse(value)));
            }
            for (var type : JobType.values()) {
                due(new Section(type, shard), 1, Optional.empty(), now).items().forEach(tally::addOldest);
            }
        });
        return tally.counts();
    }

    private Optional<String> find(Partition partition, String sort) {
        return tables.index().find(new Key(partition, sort));
    }

    private static Stream<Integer> shards() {
        return IntStream.range(0, JobStore.SHARDS).boxed();
    }

    private static String position(Optional<Cursor> after) {
        return after.map(Cursor::position).orElse("");
    }

    /** Reads until the page is full, or enough was examined. */
    private static <T> Page<T> page(Stream<String> positions, int limit, Function<String, Optional<T>> read) {
        var found = new ArrayList<T>();
        var examined = 0;
        for (var all = positions.iterator(); all.hasNext(); ) {
            var position = all.next();
            read.apply(position).ifPresent(found::add);
            examined++;
            if (found.size() == limit || examined == EXAMINED_MAX) {
                return new Page<>(found, Optional.of(new Cursor(position)));
            }
        }
        return new Page<>(found, Optional.empty());
    }
}
