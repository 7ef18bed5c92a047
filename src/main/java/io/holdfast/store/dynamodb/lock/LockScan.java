package io.holdfast.store.dynamodb.lock;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Scans the table in bounded steps. An index for lists would double the cost of every acquire and release, and an index
 * with one key for all locks would throttle them.
 */
final class LockScan {
    private static final int STEP_MAX = 1000;

    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final String table;

    LockScan(DynamoDbAsyncClient client, DynamoDbCalls calls, String table) {
        this.client = client;
        this.calls = calls;
        this.table = table;
    }

    Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return fill(
                query, now, new Filling(List.of(), query.after(), query.bounds().examinedMax()));
    }

    /** The locks among the next {@code limit} items. */
    Uni<Page<LockRecord>> step(Optional<Cursor> from, int limit) {
        return Uni.createFrom().deferred(() -> {
            var request = ScanRequest.builder().tableName(table).limit(limit).consistentRead(true);
            from.ifPresent(cursor -> request.exclusiveStartKey(key(cursor)));
            return calls.call("scan", () -> client.scan(request.build()))
                    .map(DynamoDbCalls.Result::unconditional)
                    .map(LockScan::page);
        });
    }

    private record Filling(List<LockRecord> found, Optional<Cursor> from, int examinable) {}

    private Uni<Page<LockRecord>> fill(LockQuery query, Instant now, Filling filling) {
        var limit = query.bounds().limit();
        return step(filling.from(), Math.min(filling.examinable(), STEP_MAX)).chain(page -> {
            var found = new ArrayList<>(filling.found());
            for (var record : page.items()) {
                if (query.filter().matches(record, now)) {
                    found.add(record);
                }
                if (found.size() == limit) {
                    return done(found, Optional.of(after(record)));
                }
            }
            var examinable = filling.examinable() - STEP_MAX;
            return page.next().isEmpty() || examinable <= 0
                    ? done(found, page.next())
                    : fill(query, now, new Filling(found, page.next(), examinable));
        });
    }

    private static Uni<Page<LockRecord>> done(List<LockRecord> found, Optional<Cursor> next) {
        return Uni.createFrom().item(new Page<>(found, next));
    }

    private static Page<LockRecord> page(ScanResponse response) {
        var locks = response.items().stream()
                .filter(LockItem::isLock)
                .map(LockItem::read)
                .toList();
        var last = response.lastEvaluatedKey();
        return new Page<>(locks, last == null || last.isEmpty() ? Optional.empty() : Optional.of(cursor(last)));
    }

    private static Cursor after(LockRecord record) {
        return cursor(LockItem.key(record.name()));
    }

    /** No key contains a line break. */
    private static Cursor cursor(Map<String, AttributeValue> key) {
        return new Cursor(
                key.get(Attributes.PK).s() + "\n" + key.get(Attributes.SK).s());
    }

    private static Map<String, AttributeValue> key(Cursor cursor) {
        var parts = cursor.position().split("\n", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw Cursor.malformed();
        }
        return Map.of(Attributes.PK, Attributes.text(parts[0]), Attributes.SK, Attributes.text(parts[1]));
    }
}
