package io.holdfast.store.codec;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobStore;
import io.holdfast.kernel.SortableTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The index entries of clusters and jobs. They are a pure function of the records, so a store writes the difference
 * between the entries before and after a change, together with the change.
 */
public final class JobEntries {
    /** Sorts before every character of a name, so the entries of a directory have the order of the names. */
    private static final String SEPARATOR = " ";

    /** Sorts after every character of a name. */
    private static final String AFTER_NAMES = "~";

    private JobEntries() {}

    public enum Kind {
        /** The claimable job of a cluster, by the time from which on it may be claimed. */
        DUE,
        /** A cluster with a TTL, by its end. */
        EXPIRY,
        /** Each cluster, by name. */
        DIRECTORY,
        /** The name of an active cluster. */
        NAME,
        /** Each job, by status. */
        STATUS,
        /** The idempotency key of a job. */
        KEY;

        /** Whether a new entry must not replace another one. */
        public boolean isExclusive() {
            return this == NAME || this == KEY;
        }
    }

    /**
     * Entries that are ordered by their sort keys.
     *
     * @param section which part of the entries of this kind; may be empty
     */
    public record Partition(Kind kind, String section) {
        public String text() {
            return kind + SEPARATOR + section;
        }
    }

    /** Identifies an entry. */
    public record Key(Partition partition, String sort) {}

    /** @param until if present, the entry and the record that it belongs to may be deleted after this time */
    public record Entry(Key key, String value, Optional<Instant> until) {
        public Kind kind() {
            return key.partition().kind();
        }

        /** Whether the change must not be made if there is an entry with this key whose time is not over. */
        public boolean isExclusive() {
            return kind().isExclusive();
        }
    }

    /** The value of a {@link Kind#STATUS} entry. */
    public record StatusValue(JobType type, Instant since) {
        public static StatusValue parse(String value) {
            var words = value.split(SEPARATOR);
            return new StatusValue(JobType.valueOf(words[0]), Instant.ofEpochMilli(Long.parseLong(words[1])));
        }

        String text() {
            return type + SEPARATOR + since.toEpochMilli();
        }
    }

    /** What a change does to the index. */
    public record Difference(List<Entry> put, List<Key> deleted) {}

    /** @param until of commit: when ended jobs, destroyed clusters and new keys may be deleted */
    public static Difference of(Changes changes, Instant until) {
        var before = new ArrayList<Entry>();
        var after = new ArrayList<Entry>();
        changes.cluster().ifPresent(change -> {
            change.before().ifPresent(cluster -> before.addAll(of(cluster, until)));
            after.addAll(of(change.after(), until));
        });
        changes.jobs().forEach(change -> {
            change.before().ifPresent(job -> before.addAll(of(job, until)));
            after.addAll(of(change.after(), until));
        });
        var kept = after.stream().map(Entry::key).collect(Collectors.toSet());
        return new Difference(
                after.stream().filter(entry -> !before.contains(entry)).toList(),
                before.stream()
                        .map(Entry::key)
                        .filter(key -> !kept.contains(key))
                        .toList());
    }

    static List<Entry> of(Cluster cluster, Instant until) {
        var id = cluster.id();
        var entries = new ArrayList<Entry>();
        var destroyed = cluster.status() == ClusterStatus.DESTROYED;
        entries.add(new Entry(
                new Key(directory(), cluster.name().name() + SEPARATOR + id),
                id.value(),
                Optional.of(until).filter(end -> destroyed)));
        if (cluster.status().takesName()) {
            entries.add(entry(name(cluster.name()), id.value()));
        }
        DueWork.of(cluster).ifPresent(work -> {
            var section = new JobStore.Section(work.type(), JobStore.shardOf(id));
            entries.add(entry(new Key(due(section), timed(work.dueAt(), id)), JobJson.write(work)));
        });
        cluster.life()
                .expiresAt()
                .filter(end -> !destroyed && !cluster.life().expiryHandled())
                .ifPresent(
                        end -> entries.add(entry(new Key(expiry(JobStore.shardOf(id)), timed(end, id)), id.value())));
        return entries;
    }

    static List<Entry> of(Job job, Instant until) {
        var status = new Entry(
                new Key(
                        status(job.status(), JobStore.shardOf(job.id())),
                        job.id().value()),
                new StatusValue(job.type(), since(job)).text(),
                Optional.of(until).filter(end -> job.status().isEnded()));
        Function<String, Entry> keyed =
                key -> new Entry(key(job.cluster(), key), job.id().value(), Optional.of(until));
        return job.order()
                .idempotencyKey()
                .map(key -> List.of(status, keyed.apply(key)))
                .orElse(List.of(status));
    }

    /** When the job got its status. */
    private static Instant since(Job job) {
        return switch (job.status()) {
            case QUEUED -> job.dueAt();
            case RUNNING -> job.lastRun().orElseThrow().startedAt();
            case WAITING -> job.lastRun().flatMap(Run::end).orElseThrow().at();
            case SUCCEEDED, FAILED, CANCELLED, DEAD -> job.end().orElseThrow().at();
        };
    }

    public static Partition due(JobStore.Section section) {
        return new Partition(Kind.DUE, section.type() + SEPARATOR + section.shard());
    }

    /** The id of the cluster that an entry with this sort key in a section of due work belongs to. */
    public static String dueCluster(String sort) {
        return sort.substring(sort.indexOf(SEPARATOR) + SEPARATOR.length());
    }

    /** Whether such an entry is of this time. */
    public static boolean isDueAt(String sort, Instant at) {
        return Long.parseLong(sort, 0, sort.indexOf(SEPARATOR), 10) == at.toEpochMilli();
    }

    public static Partition expiry(int shard) {
        return new Partition(Kind.EXPIRY, Integer.toString(shard));
    }

    public static Partition directory() {
        return new Partition(Kind.DIRECTORY, "");
    }

    public static Partition status(JobStatus status, int shard) {
        return new Partition(Kind.STATUS, status + SEPARATOR + shard);
    }

    public static Key name(ClusterName name) {
        return new Key(new Partition(Kind.NAME, name.name()), name.platform() + SEPARATOR + name.baseDomain());
    }

    public static Key key(ClusterId cluster, String key) {
        return new Key(new Partition(Kind.KEY, cluster.value()), key);
    }

    /** Sort keys of entries whose time has come are lower than this, and all others are not. */
    public static String endOfDue(Instant now) {
        return SortableTime.text(now.plusMillis(1));
    }

    /** Sort keys in the directory of names with this prefix are not lower than the prefix, and lower than this. */
    public static String endOfPrefix(String prefix) {
        return prefix + AFTER_NAMES;
    }

    private static Entry entry(Key key, String value) {
        return new Entry(key, value, Optional.empty());
    }

    private static String timed(Instant at, ClusterId id) {
        return SortableTime.text(at) + SEPARATOR + id;
    }
}
