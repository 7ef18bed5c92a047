package io.holdfast.store.embedded;

import io.holdfast.kernel.SortableTime;
import io.holdfast.store.codec.JobEntries.Difference;
import io.holdfast.store.codec.JobEntries.Entry;
import io.holdfast.store.codec.JobEntries.Key;
import io.holdfast.store.codec.JobEntries.Kind;
import io.holdfast.store.codec.JobEntries.Partition;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.holdfast.store.embedded.engine.EmbeddedTable.Codec;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The index entries of clusters and jobs, in one table: a key is the partition, a blank and the sort key.
 *
 * @param ends the keys of the entries that may be deleted after some time, ordered by that time
 */
record EmbeddedJobIndex(EmbeddedTable<Row> entries, EmbeddedTable<String> ends) {
    private static final String BLANK = " ";

    /** The character after a blank. With it, a partition sorts after all its keys. */
    private static final String AFTER_BLANK = "!";

    record Row(String value, Optional<Instant> until) {
        private static Row parse(String text) {
            var blank = text.indexOf(BLANK);
            var until = Optional.of(text.substring(0, blank)).filter(millis -> !millis.isEmpty());
            return new Row(text.substring(blank + 1), until.map(Long::parseLong).map(Instant::ofEpochMilli));
        }

        private String text() {
            return until.map(end -> Long.toString(end.toEpochMilli())).orElse("") + BLANK + value;
        }

        private boolean isOverAt(Instant now) {
            return until.filter(end -> end.isBefore(now)).isPresent();
        }
    }

    /** An entry that was deleted because its time was over. */
    record Purged(String key) {
        Kind kind() {
            return Kind.valueOf(key.substring(0, key.indexOf(BLANK)));
        }

        /** The record that the entry belongs to, if its kind is STATUS or DIRECTORY. */
        String id() {
            return key.substring(key.lastIndexOf(BLANK) + 1);
        }
    }

    static EmbeddedJobIndex create() {
        return new EmbeddedJobIndex(
                new EmbeddedTable<>("job_entries", Codec.of(Row::text, Row::parse)),
                new EmbeddedTable<>("job_ends", Codec.TEXT));
    }

    /** Whether no entry is in the way of a new exclusive one. Call it on the writer. */
    boolean allows(List<Entry> put, Instant now) {
        return put.stream().filter(Entry::isExclusive).allMatch(entry -> entries.get(text(entry.key()))
                .map(row -> row.isOverAt(now))
                .orElse(true));
    }

    /** Call it on the writer. */
    void write(Difference difference) {
        difference.deleted().forEach(key -> delete(text(key)));
        difference.put().forEach(entry -> {
            var key = text(entry.key());
            delete(key);
            entries.put(key, new Row(entry.value(), entry.until()));
            entry.until().ifPresent(until -> ends.put(endKey(until, key), key));
        });
    }

    /** Whether there are entries whose time is over. */
    boolean hasEnded(Instant now) {
        return !ended(now).isEmpty();
    }

    /** Deletes entries whose time is over, the oldest first. Call it on the writer. */
    List<Purged> purge(int limit, Instant now) {
        var purged = ended(now).stream()
                .flatMap(end -> ends.get(end).stream())
                .limit(limit)
                .map(Purged::new)
                .toList();
        purged.forEach(entry -> delete(entry.key()));
        return purged;
    }

    Optional<String> find(Key key) {
        return Optional.ofNullable(entries.committed().get(text(key))).map(Row::value);
    }

    Stream<String> ascending(Partition partition, String after) {
        return sorts(partition, keys(partition, after, end(partition)));
    }

    /** @param before the first sort key that is not wanted */
    Stream<String> ascending(Partition partition, String after, String before) {
        return sorts(partition, keys(partition, after, start(partition) + before));
    }

    /** @param before if present, the sort key after the first one that is wanted */
    Stream<String> descending(Partition partition, Optional<String> before) {
        var to = before.map(sort -> start(partition) + sort).orElse(end(partition));
        return sorts(partition, keys(partition, "", to).descendingSet());
    }

    /** Neither bound is included. A bound of a caller may be anywhere. */
    private NavigableSet<String> keys(Partition partition, String after, String to) {
        var from = start(partition) + after;
        return from.compareTo(to) < 0
                ? entries.committed().subMap(from, false, to, false).navigableKeySet()
                : Collections.emptyNavigableSet();
    }

    private static Stream<String> sorts(Partition partition, NavigableSet<String> keys) {
        var length = start(partition).length();
        return keys.stream().map(key -> key.substring(length));
    }

    private NavigableSet<String> ended(Instant now) {
        return ends.committed().headMap(SortableTime.text(now), false).navigableKeySet();
    }

    private void delete(String key) {
        entries.get(key).flatMap(Row::until).ifPresent(until -> ends.delete(endKey(until, key)));
        entries.delete(key);
    }

    private static String text(Key key) {
        return start(key.partition()) + key.sort();
    }

    private static String start(Partition partition) {
        return partition.text() + BLANK;
    }

    private static String end(Partition partition) {
        return partition.text() + AFTER_BLANK;
    }

    private static String endKey(Instant until, String key) {
        return SortableTime.text(until) + BLANK + key;
    }
}
