package io.holdfast.store.dynamodb.service;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.FeedPosition;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceQuery;
import io.holdfast.store.dynamodb.call.DynamoDbBatch;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.call.DynamoDbReads.Section;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Lists of services and moves. */
final class ServiceLists {
    /** How many services one page examines at most, if it has a filter. */
    private static final int EXAMINED_MAX = 1000;

    /** Sorts after every character of an identifier. */
    private static final String AFTER_NAMES = "~";

    private final DynamoDbReads reads;
    private final DynamoDbBatch batch;

    ServiceLists(DynamoDbReads reads, DynamoDbBatch batch) {
        this.reads = reads;
        this.batch = batch;
    }

    /** Merges the shards. */
    Uni<Page<Service>> list(ServiceQuery query) {
        var limit = query.status().isPresent()
                ? Math.max(query.limit(), EXAMINED_MAX / LifecycleStore.SHARDS)
                : query.limit();
        var after = query.after().filter(cursor -> cursor.position().compareTo(query.prefix()) >= 0);
        var pages = shards().mapToObj(shard -> section(shard, limit, after, query.prefix()))
                .map(section -> reads.page("list_services", section, ServiceItem.ifReadable(ServiceItem::service)))
                .toList();
        return Uni.join().all(pages).andFailFast().map(read -> merge(query, read));
    }

    private static Section section(int shard, int limit, Optional<Cursor> after, String prefix) {
        var section = new Section(ServiceItem.services(shard), limit, after);
        return prefix.isEmpty() ? section : section.between(prefix, prefix + AFTER_NAMES);
    }

    /**
     * Above the lowest end of a page that is not the last of its shard, unread services may come first. So the merged page
     * ends there.
     */
    private static Page<Service> merge(ServiceQuery query, List<Page<Optional<Service>>> pages) {
        var end = pages.stream()
                .flatMap(page -> page.next().stream())
                .map(Cursor::position)
                .min(Comparator.naturalOrder());
        var wanted = pages.stream()
                .flatMap(page -> page.items().stream())
                .flatMap(Optional::stream)
                .filter(service -> end.filter(last -> service.id().value().compareTo(last) > 0)
                        .isEmpty())
                .filter(query::matches)
                .sorted(Comparator.comparing(Service::id))
                .toList();
        var page = wanted.subList(0, Math.min(query.limit(), wanted.size()));
        var next = page.size() < wanted.size() ? Optional.of(page.getLast().id().value()) : end;
        return new Page<>(page, next.map(Cursor::new));
    }

    Uni<Page<Service>> shard(int shard, int limit, Optional<Cursor> after) {
        var section = new Section(ServiceItem.services(shard), limit, after).eventuallyConsistent();
        return reads.page("list_shard", section, ServiceItem.ifReadable(ServiceItem::service))
                .map(ServiceLists::readable);
    }

    Uni<Page<Move>> history(ServiceId id, int limit, Optional<Cursor> after) {
        var section = new Section(ServiceItem.history(id), limit, after).fromTheEnd();
        return reads.page("list_moves", section, ServiceItem.ifReadable(ServiceItem::move))
                .map(ServiceLists::readable);
    }

    private static <T> Page<T> readable(Page<Optional<T>> page) {
        return new Page<>(page.items().stream().flatMap(Optional::stream).toList(), page.next());
    }

    Uni<FeedPosition> feedEnd() {
        return batch.find(
                        "find_feed_ends", shards().mapToObj(ServiceItem::endKey).toList())
                .map(items -> new FeedPosition(
                        shards().mapToObj(shard -> items.getOrDefault(ServiceItem.endKey(shard), Map.of()))
                                .map(ServiceItem::endNumber)
                                .toList()));
    }

    Uni<List<FeedEntry>> feed(int shard, long sequence, int limit) {
        return feed(shard, sequence, limit, List.of()).map(items -> items.stream()
                .map(ServiceItem.ifReadable(item -> ServiceItem.entry(shard, item)))
                .flatMap(Optional::stream)
                .toList());
    }

    /** A query returns at most a megabyte. To the caller, a missing entry would be a deleted one. */
    private Uni<List<Map<String, AttributeValue>>> feed(
            int shard, long sequence, int limit, List<Map<String, AttributeValue>> before) {
        var section = new Section(ServiceItem.feed(shard), limit - before.size(), Optional.empty())
                .between(ServiceItem.moveSort(sequence + 1), ServiceItem.moveSort(Long.MAX_VALUE));
        return reads.page("list_feed", section, item -> item).chain(page -> {
            var items = new ArrayList<>(before);
            items.addAll(page.items());
            return page.next().isEmpty() || items.size() >= limit
                    ? Uni.createFrom().item(items)
                    : feed(shard, ServiceItem.sequence(items.getLast()), limit, items);
        });
    }

    private static IntStream shards() {
        return IntStream.range(0, LifecycleStore.SHARDS);
    }
}
