package io.holdfast.store.dynamodb.service;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceQuery;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.call.DynamoDbReads.Section;
import io.smallrye.mutiny.Uni;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Lists of services, and the history of one. */
final class ServiceLists {
    /** How many services one page examines at most, if it has a filter. */
    private static final int EXAMINED_MAX = 1000;

    /** Sorts after every character of an identifier. */
    private static final String AFTER_NAMES = "~";

    private final DynamoDbReads reads;

    ServiceLists(DynamoDbReads reads) {
        this.reads = reads;
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

    private static IntStream shards() {
        return IntStream.range(0, LifecycleStore.SHARDS);
    }
}
