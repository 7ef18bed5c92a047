package io.holdfast.store.dynamodb.job;

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
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.store.codec.JobEntries;
import io.holdfast.store.codec.JobEntries.StatusValue;
import io.holdfast.store.codec.JobJson;
import io.holdfast.store.codec.JobTally;
import io.holdfast.store.dynamodb.call.DynamoDbBatch;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.call.DynamoDbReads.Section;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Lists and counts of clusters and jobs. They read index entries first, and then the records that these name. */
final class JobLists {
    /** How many entries one page examines at most, if it has a filter. */
    private static final int EXAMINED_MAX = 1000;

    private static final int STEP = 100;
    private static final int COUNT_STEP = 1000;

    private static final List<Integer> SHARDS =
            Stream.iterate(0, shard -> shard + 1).limit(JobStore.SHARDS).toList();

    private final DynamoDbReads reads;
    private final DynamoDbBatch batch;

    JobLists(DynamoDbReads reads, DynamoDbBatch batch) {
        this.reads = reads;
        this.batch = batch;
    }

    Uni<Page<DueWork>> due(JobStore.Section section, int limit, Optional<Cursor> after, Instant now) {
        return reads.page(
                "list_due",
                dueBy(JobEntries.due(section), limit, after, now),
                item -> JobJson.readDueWork(JobItem.value(item)));
    }

    Uni<Page<ClusterId>> expired(int shard, int limit, Optional<Cursor> after, Instant now) {
        return reads.page(
                "list_expired",
                dueBy(JobEntries.expiry(shard), limit, after, now),
                item -> new ClusterId(JobItem.value(item)));
    }

    /** Sort keys begin with a time of 13 digits. */
    private static Section dueBy(JobEntries.Partition partition, int limit, Optional<Cursor> after, Instant now) {
        return section(partition, limit, after).between("0", JobEntries.endOfDue(now));
    }

    private static Section section(JobEntries.Partition partition, int limit, Optional<Cursor> after) {
        return new Section(JobItem.partition(partition), limit, after);
    }

    Uni<List<Job>> findJobs(Collection<JobId> ids) {
        return batch.find("find_jobs", ids.stream().map(JobItem::key).toList())
                .map(items -> found(ids.stream().map(JobItem::key), items)
                        .map(JobItem::job)
                        .toList());
    }

    private static Stream<Map<String, AttributeValue>> found(
            Stream<Map<String, AttributeValue>> keys,
            Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items) {
        return keys.flatMap(key -> Optional.ofNullable(items.get(key)).stream());
    }

    Uni<Page<Job>> jobs(JobQuery query) {
        return query.cluster().isPresent() ? ofCluster(query, query.cluster().get()) : byStatus(query);
    }

    /** A cluster contains the identifiers of its jobs. */
    private Uni<Page<Job>> ofCluster(JobQuery query, ClusterId id) {
        return reads.get("find_cluster", JobItem.key(id))
                .map(item -> item.isEmpty() ? List.<JobId>of() : jobsOf(JobItem.cluster(item)))
                .chain(ids -> findJobs(ids.stream()
                        .filter(job -> isAfter(query.after(), job.value()))
                        .sorted(Comparator.reverseOrder())
                        .toList()))
                .map(jobs -> jobs.stream().filter(query::matches).toList())
                .map(jobs -> jobs.size() <= query.limit()
                        ? new Page<>(jobs, Optional.empty())
                        : new Page<>(
                                jobs.subList(0, query.limit()),
                                Optional.of(cursor(jobs.get(query.limit() - 1).id()))));
    }

    private static List<JobId> jobsOf(Cluster cluster) {
        return Stream.concat(cluster.queue().stream().map(QueuedJob::id), cluster.endedJobs().stream())
                .toList();
    }

    /** The newest jobs come first, so the next ones have lower identifiers. */
    private static boolean isAfter(Optional<Cursor> cursor, String job) {
        return cursor.filter(before -> job.compareTo(before.position()) >= 0).isEmpty();
    }

    private static Cursor cursor(JobId job) {
        return new Cursor(job.value());
    }

    /** An index entry of a job. */
    private record Place(JobId job, StatusValue value) {
        static Place read(Map<String, AttributeValue> item) {
            return new Place(new JobId(JobItem.sort(item)), StatusValue.parse(JobItem.value(item)));
        }
    }

    /**
     * Merges the partitions of all wanted statuses. A job whose status changes between two of these reads may be missing.
     */
    private Uni<Page<Job>> byStatus(JobQuery query) {
        var partitions = query.status().map(List::of).orElse(List.of(JobStatus.values())).stream()
                .flatMap(status -> SHARDS.stream().map(shard -> JobEntries.status(status, shard)))
                .toList();
        var limit =
                query.type().isPresent() ? Math.max(query.limit(), EXAMINED_MAX / partitions.size()) : query.limit();
        var pages = partitions.stream()
                .map(partition -> reads.page(
                        "list_jobs", section(partition, limit, query.after()).fromTheEnd(), Place::read))
                .toList();
        return Uni.join().all(pages).andFailFast().chain(read -> merge(query, read));
    }

    /**
     * Below the highest end of a page that is not the last of its partition, unread entries may come first. So the
     * merged page ends there.
     */
    private Uni<Page<Job>> merge(JobQuery query, List<Page<Place>> pages) {
        var end = pages.stream()
                .flatMap(page -> page.next().stream())
                .map(Cursor::position)
                .max(Comparator.naturalOrder());
        var wanted = pages.stream()
                .flatMap(page -> page.items().stream())
                .filter(place -> end.filter(last -> place.job().value().compareTo(last) < 0)
                        .isEmpty())
                .filter(place -> query.type()
                        .filter(type -> type != place.value().type())
                        .isEmpty())
                .map(Place::job)
                .distinct()
                .sorted(Comparator.reverseOrder())
                .toList();
        var page = wanted.subList(0, Math.min(query.limit(), wanted.size()));
        var next = page.size() < wanted.size() ? Optional.of(cursor(page.getLast())) : end.map(Cursor::new);
        return findJobs(page)
                .map(jobs -> new Page<>(jobs.stream().filter(query::matches).toList(), next));
    }

    Uni<Page<Cluster>> clusters(ClusterQuery query) {
        var start = query.after().filter(cursor -> cursor.position().compareTo(query.prefix()) >= 0);
        return fill(query, new Filling(List.of(), start, EXAMINED_MAX));
    }

    private record Filling(List<Cluster> found, Optional<Cursor> from, int examinable) {}

    /** An entry of the directory. */
    private record Listed(Cursor position, ClusterId cluster) {
        static Listed read(Map<String, AttributeValue> item) {
            return new Listed(new Cursor(JobItem.sort(item)), new ClusterId(JobItem.value(item)));
        }
    }

    private Uni<Page<Cluster>> fill(ClusterQuery query, Filling filling) {
        var step = query.status().isPresent() ? STEP : query.limit();
        var section = section(JobEntries.directory(), Math.min(step, filling.examinable()), filling.from());
        var range = query.prefix().isEmpty()
                ? section
                : section.between(query.prefix(), JobEntries.endOfPrefix(query.prefix()));
        return reads.page("list_clusters", range, Listed::read).chain(page -> batch.find(
                        "find_clusters",
                        page.items().stream()
                                .map(listed -> JobItem.key(listed.cluster()))
                                .toList())
                .chain(items -> fill(query, filling, page, items)));
    }

    private Uni<Page<Cluster>> fill(
            ClusterQuery query,
            Filling filling,
            Page<Listed> page,
            Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items) {
        var found = new ArrayList<>(filling.found());
        for (var listed : page.items()) {
            Optional.ofNullable(items.get(JobItem.key(listed.cluster())))
                    .map(JobItem::cluster)
                    .filter(query::matches)
                    .ifPresent(found::add);
            if (found.size() == query.limit()) {
                return Uni.createFrom().item(new Page<>(found, Optional.of(listed.position())));
            }
        }
        var examinable = filling.examinable() - page.items().size();
        return page.next().isEmpty() || examinable <= 0
                ? Uni.createFrom().item(new Page<>(found, page.next()))
                : fill(query, new Filling(found, page.next(), examinable));
    }

    /** Counts one page after the other, because a tally is not thread-safe. */
    Uni<JobCounts> count(Instant now) {
        var tally = new JobTally();
        var steps = new ArrayList<Uni<Void>>();
        for (var shard : SHARDS) {
            for (var status : JobTally.COUNTED) {
                steps.add(each(
                        JobEntries.status(status, shard), Optional.empty(), place -> tally.add(status, place.value())));
            }
            for (var type : JobType.values()) {
                steps.add(due(new JobStore.Section(type, shard), 1, Optional.empty(), now)
                        .invoke(page -> page.items().forEach(tally::addOldest))
                        .replaceWithVoid());
            }
        }
        return Multi.createFrom()
                .iterable(steps)
                .onItem()
                .transformToUniAndConcatenate(step -> step)
                .collect()
                .last()
                .map(done -> tally.counts());
    }

    private Uni<Void> each(JobEntries.Partition partition, Optional<Cursor> from, Consumer<Place> consumer) {
        return reads.page("count_jobs", section(partition, COUNT_STEP, from), Place::read)
                .invoke(page -> page.items().forEach(consumer))
                .chain(page -> page.next().isPresent()
                        ? each(partition, page.next(), consumer)
                        : Uni.createFrom().voidItem());
    }
}
