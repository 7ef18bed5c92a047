package io.holdfast.store.dynamodb.service;

import static io.holdfast.store.dynamodb.call.Attributes.maybeText;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.port.FeedEntry;
import io.holdfast.lifecycle.port.FeedPosition;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceQuery;
import io.holdfast.lifecycle.port.StatusChange;
import io.holdfast.store.dynamodb.call.ClockGuard;
import io.holdfast.store.dynamodb.call.DynamoDbBatch;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Services in a DynamoDB table. A commit is one transaction of the service, its history and the feed. */
public final class DynamoDbLifecycleStore implements LifecycleStore {
    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final ClockGuard clock;
    private final DynamoDbReads reads;
    private final ServiceWrites writes;
    private final ServiceCommits commits;
    private final ServiceLists lists;
    private final FeedReads feed;

    public DynamoDbLifecycleStore(DynamoDbAsyncClient client, DynamoDbCalls calls, ClockGuard clock, String table) {
        this.client = client;
        this.calls = calls;
        this.clock = clock;
        this.reads = new DynamoDbReads(client, calls, table);
        this.writes = new ServiceWrites(table);
        this.commits = new ServiceCommits(reads, writes);
        this.lists = new ServiceLists(reads);
        this.feed = new FeedReads(reads, new DynamoDbBatch(client, calls, table));
    }

    @Override
    public Uni<Optional<Service>> find(ServiceId id) {
        return reads.get("find_service", ServiceItem.key(id))
                .map(item -> item.isEmpty() ? Optional.empty() : Optional.of(ServiceItem.service(item)));
    }

    @Override
    public Uni<Boolean> commit(StatusChange change, Instant until) {
        return commits.commit(change, until);
    }

    @Override
    public Uni<Optional<Service>> replaceSpec(ServiceId id, ServiceSpec spec) {
        return calls.call("replace_spec", () -> client.updateItem(writes.replaceSpec(id, spec)))
                .map(result -> switch (result) {
                    case Result.Done<UpdateItemResponse> done ->
                        Optional.of(ServiceItem.service(done.response().attributes()));
                    case Result.Refused<?> refused -> Optional.empty();
                });
    }

    @Override
    public Uni<Page<Service>> list(ServiceQuery query) {
        return lists.list(query);
    }

    @Override
    public Uni<Page<Service>> shard(int shard, int limit, Optional<Cursor> after) {
        return lists.shard(shard, limit, after);
    }

    @Override
    public Uni<Page<Move>> history(ServiceId id, int limit, Optional<Cursor> after) {
        return lists.history(id, limit, after);
    }

    @Override
    public Uni<FeedPosition> feedEnd() {
        return feed.end();
    }

    @Override
    public Uni<List<FeedEntry>> feed(int shard, long sequence, int limit) {
        return feed.read(shard, sequence, limit);
    }

    @Override
    public Uni<Optional<String>> pause() {
        return reads.get("find_pause", ServiceItem.PAUSE_KEY).map(item -> maybeText(item, ServiceItem.REASON));
    }

    @Override
    public Uni<Void> setPause(Optional<String> reason) {
        return reason.map(this::putPause).orElseGet(this::deletePause);
    }

    private Uni<Void> putPause(String reason) {
        var item = new HashMap<>(ServiceItem.PAUSE_KEY);
        item.put(ServiceItem.REASON, text(reason));
        return calls.call(
                        "set_pause",
                        () -> client.putItem(put -> put.tableName(reads.table()).item(item)))
                .map(Result::unconditional)
                .replaceWithVoid();
    }

    private Uni<Void> deletePause() {
        return calls.call(
                        "set_pause",
                        () -> client.deleteItem(
                                delete -> delete.tableName(reads.table()).key(ServiceItem.PAUSE_KEY)))
                .map(Result::unconditional)
                .replaceWithVoid();
    }

    /** The offset of the clock is unknown before DynamoDB's first answer. */
    @Override
    public boolean trustsClock() {
        return clock.isKnown() && !clock.clockIsOff();
    }
}
