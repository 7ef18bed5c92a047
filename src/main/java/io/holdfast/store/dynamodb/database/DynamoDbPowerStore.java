package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.store.codec.PowerJson;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Transaction;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.call.DynamoDbReads.Section;
import io.holdfast.store.dynamodb.call.Partition;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * The power state in a DynamoDB table. It is part of the item of the database, so that one condition covers links too.
 */
public final class DynamoDbPowerStore implements PowerStore {
    private static final int TRIES_MAX = 12;
    private static final String BODY = "body";

    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final String table;
    private final DatabaseQuery databases;
    private final PowerWrites writes;
    private final DynamoDbReads reads;
    private final DynamoDbBrake brake;
    private final EarlierPowerItems earlier;

    public DynamoDbPowerStore(DynamoDbAsyncClient client, DynamoDbCalls calls, String table, DatabaseQuery databases) {
        this.client = client;
        this.calls = calls;
        this.table = table;
        this.databases = databases;
        this.writes = new PowerWrites(table);
        this.reads = new DynamoDbReads(client, calls, table);
        this.brake = new DynamoDbBrake(reads);
        this.earlier = new EarlierPowerItems(reads, writes);
    }

    @Override
    public Uni<Optional<DatabaseSnapshot>> snapshot(DatabaseId id) {
        return earlier.converted(id, () -> databases.find(id), found -> found.map(DatabaseQuery.Found::item)
                        .orElse(Map.of()))
                .map(found -> found.map(read -> new DatabaseSnapshot(read.shared(), PowerItem.read(read.item()))));
    }

    @Override
    public Uni<Boolean> requestStop(DatabaseId id, AppName app, Instant now) {
        return transact("request_stop", () -> writes.requestStop(id, app, now), 1);
    }

    @Override
    public Uni<Boolean> claimStart(DatabaseId id, AppName app, Instant until, Instant now) {
        return transact("claim_start", () -> writes.claimStart(id, app, until), 1);
    }

    @Override
    public Uni<Boolean> extendClaim(DatabaseSnapshot seen, AppName app, Instant until) {
        return seen.state().intents().startClaims().containsKey(app)
                ? transact("extend_claim", () -> writes.extendClaim(seen, app, until), 1)
                : Uni.createFrom().item(false);
    }

    @Override
    public Uni<Void> forget(DatabaseSnapshot seen, Set<AppName> apps) {
        return calls.call("forget", () -> client.updateItem(writes.forget(seen, apps)))
                .replaceWithVoid();
    }

    @Override
    public Uni<Boolean> commit(DatabaseSnapshot seen, Phase phase, Instant now) {
        return transact("commit", () -> writes.commit(seen, phase, now), 1);
    }

    @Override
    public Uni<Boolean> settle(DatabaseId id, long epoch, Phase phase, Instant since) {
        return transact("settle", () -> writes.settle(id, epoch, phase, since), 1);
    }

    @Override
    public Uni<Page<DatabaseId>> pending(int limit, Optional<Cursor> after, Instant now) {
        var moved = after.isEmpty() ? earlier.movePending() : Uni.createFrom().voidItem();
        return moved.chain(() -> reads.page(
                "pending",
                new Section(Partition.PENDING.key(), limit, after),
                item -> new DatabaseId(item.get(SK).s())));
    }

    @Override
    public Uni<Void> tidy(DatabaseId id, Instant now) {
        return earlier.converted(id, () -> reads.get("tidy", RegistryItem.databaseKey(id)), Function.identity())
                .chain(item -> {
                    var registered = !item.isEmpty();
                    if (registered && PowerItem.read(item).pendingAt(now)) {
                        return Uni.createFrom().voidItem();
                    }
                    var request = writes.unmark(id, registered, PowerItem.number(item, PowerItem.VERSION));
                    // Refused means that the state has changed since it was read. Then the entry must stay.
                    return calls.transact("unmark", () -> client.transactWriteItems(request))
                            .replaceWithVoid();
                });
    }

    @Override
    public Uni<Void> record(Decision decision, Instant until) {
        var newestFirst = "%019d".formatted(Long.MAX_VALUE - decision.by().at().toEpochMilli());
        var request = PutItemRequest.builder()
                .tableName(table)
                .item(Map.of(
                        PK,
                        decisionsOf(decision.database()),
                        SK,
                        text(newestFirst + "-" + UUID.randomUUID()),
                        BODY,
                        text(PowerJson.write(decision)),
                        "ttl",
                        number(until.getEpochSecond() + 1)))
                .build();
        return calls.call("record", () -> client.putItem(request))
                .map(Result::unconditional)
                .replaceWithVoid();
    }

    @Override
    public Uni<Page<Decision>> decisions(DatabaseId id, int limit, Optional<Cursor> after) {
        return reads.page(
                "decisions",
                new Section(decisionsOf(id), limit, after),
                item -> PowerJson.readDecision(item.get(BODY).s()));
    }

    @Override
    public Uni<Brake> brake() {
        return brake.read();
    }

    @Override
    public Uni<Void> pause(Optional<String> reason) {
        return brake.pause(reason);
    }

    @Override
    public Uni<Brake.Permit> permitStop(int max, Instant now) {
        return brake.permitStop(max, now);
    }

    @Override
    public Uni<Void> returnPermit(Brake.Permit.Granted permit) {
        return brake.returnPermit(permit);
    }

    /** Returns whether the condition held. A transaction that conflicts with another one is retried. */
    private Uni<Boolean> transact(String operation, Supplier<TransactWriteItemsRequest> request, int number) {
        var prepared = request.get();
        return calls.transact(operation, () -> client.transactWriteItems(prepared))
                .chain(result -> switch (result) {
                    case Transaction.Done done -> Uni.createFrom().item(true);
                    case Transaction.Cancelled cancelled -> {
                        if (cancelled.refused(0)) {
                            yield Uni.createFrom().item(false);
                        }
                        yield number < TRIES_MAX
                                ? calls.pause(number).chain(() -> transact(operation, request, number + 1))
                                : Uni.createFrom()
                                        .failure(new StoreUnavailableException(
                                                "The database kept changing while this request tried to change it."));
                    }
                });
    }

    private static AttributeValue decisionsOf(DatabaseId id) {
        return Partition.DECISIONS.of(id);
    }
}
