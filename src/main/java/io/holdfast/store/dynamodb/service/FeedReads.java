package io.holdfast.store.dynamodb.service;

import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.FeedPosition;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.store.dynamodb.call.DynamoDbBatch;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.call.DynamoDbReads.Section;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads the feed of moves.
 *
 * <p>A query is not isolated from transactions: for a moment it may see the end of the feed, or a later entry, and not yet
 * an entry that was written before. To the caller, a missing entry is a deleted one. So if an entry close to the end is
 * missing, the query is repeated.
 */
final class FeedReads {
    private static final int READS_MAX = 5;

    /** Entries that are further from the end were written long ago. */
    private static final long RECENT = 64;

    private final DynamoDbReads reads;
    private final DynamoDbBatch batch;

    FeedReads(DynamoDbReads reads, DynamoDbBatch batch) {
        this.reads = reads;
        this.batch = batch;
    }

    Uni<FeedPosition> end() {
        return batch.find(
                        "find_feed_ends", shards().mapToObj(ServiceItem::endKey).toList())
                .map(items -> new FeedPosition(
                        shards().mapToObj(shard -> items.getOrDefault(ServiceItem.endKey(shard), Map.of()))
                                .map(ServiceItem::endNumber)
                                .toList()));
    }

    private static IntStream shards() {
        return IntStream.range(0, LifecycleStore.SHARDS);
    }

    Uni<List<FeedEntry>> read(int shard, long sequence, int limit) {
        return new Reading(shard, sequence, limit).read(1).map(items -> items.stream()
                .map(ServiceItem.ifReadable(item -> ServiceItem.entry(shard, item)))
                .flatMap(Optional::stream)
                .toList());
    }

    /** Reads the entries after a number. */
    private final class Reading {
        private final int shard;
        private final long sequence;
        private final int limit;

        Reading(int shard, long sequence, int limit) {
            this.shard = shard;
            this.sequence = sequence;
            this.limit = limit;
        }

        Uni<List<Map<String, AttributeValue>>> read(int number) {
            return query(sequence, List.of())
                    .chain(items -> isComplete(items) || number == READS_MAX
                            ? Uni.createFrom().item(items)
                            : endNumber()
                                    .chain(end -> lacksRecent(items, end)
                                            ? reads.calls().pause(number).chain(() -> read(number + 1))
                                            : Uni.createFrom().item(items)));
        }

        /** A query returns at most a megabyte, so there may be several. */
        private Uni<List<Map<String, AttributeValue>>> query(long after, List<Map<String, AttributeValue>> before) {
            var section = new Section(ServiceItem.feed(shard), limit - before.size(), Optional.empty())
                    .between(ServiceItem.moveSort(after + 1), ServiceItem.moveSort(Long.MAX_VALUE));
            return reads.page("list_feed", section, item -> item).chain(page -> {
                var items = new ArrayList<>(before);
                items.addAll(page.items());
                return page.next().isEmpty() || items.size() >= limit
                        ? Uni.createFrom().item(items)
                        : query(ServiceItem.sequence(items.getLast()), items);
            });
        }

        /** The next numbers, as many as asked for, without a gap. */
        private boolean isComplete(List<Map<String, AttributeValue>> items) {
            return items.size() == limit && ServiceItem.sequence(items.getLast()) == sequence + limit;
        }

        private Uni<Long> endNumber() {
            return reads.get("find_feed_end", ServiceItem.endKey(shard)).map(ServiceItem::endNumber);
        }

        private boolean lacksRecent(List<Map<String, AttributeValue>> items, long end) {
            var found = items.stream().map(ServiceItem::sequence).collect(Collectors.toSet());
            var first = Math.max(sequence + 1, end - RECENT);
            return LongStream.rangeClosed(first, Math.min(sequence + limit, end))
                    .anyMatch(wanted -> !found.contains(wanted));
        }
    }
}
