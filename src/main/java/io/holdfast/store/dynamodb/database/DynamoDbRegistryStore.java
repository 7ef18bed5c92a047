package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.SK;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore;
import io.holdfast.registry.SharedDatabase;
import io.holdfast.registry.Sharer;
import io.holdfast.store.codec.PendingOrders;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Transaction;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.call.DynamoDbReads.Section;
import io.holdfast.store.dynamodb.call.Partition;
import io.holdfast.store.dynamodb.database.RegistryWrites.StoredApp;
import io.smallrye.mutiny.Uni;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * The registry in a DynamoDB table. A change reads the items and then writes them in one transaction, on the condition
 * that they are unchanged. If they have changed, it reads again.
 */
public final class DynamoDbRegistryStore implements RegistryStore {
    /** The most attempts of a change. Each failed one means that another change succeeded. */
    private static final int TRIES_MAX = 12;

    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final DynamoDbReads reads;
    private final RegistryWrites writes;
    private final DatabaseQuery databases;

    public DynamoDbRegistryStore(
            DynamoDbAsyncClient client, DynamoDbCalls calls, String table, DatabaseQuery databases) {
        this.client = client;
        this.calls = calls;
        this.reads = new DynamoDbReads(client, calls, table);
        this.writes = new RegistryWrites(table);
        this.databases = databases;
    }

    @Override
    public Uni<PutOutcome> putApp(App app) {
        return untilDecided("app '" + app.name() + "'", () -> storedApp(app.name())
                .chain(seen -> seen.filter(old -> old.app().equals(app)).isPresent()
                        ? decided(new PutOutcome.Updated())
                        : putApp(seen, app)));
    }

    private Uni<Optional<PutOutcome>> putApp(Optional<StoredApp> seen, App app) {
        var relinking = writes.put(seen, app);
        return transact("put_app", relinking.request()).map(result -> switch (result) {
            case Transaction.Done done -> Optional.of(put(seen.isPresent()));
            case Transaction.Cancelled cancelled -> {
                var missing = new TreeSet<DatabaseId>();
                relinking.mustExist().forEach((item, id) -> {
                    if (cancelled.refused(item)) {
                        missing.add(id);
                    }
                });
                // If the app has changed, or items were not checked, the list may be wrong or incomplete.
                yield missing.isEmpty() || cancelled.refused(0) || !cancelled.byConditionsAlone()
                        ? Optional.empty()
                        : Optional.of(new PutOutcome.NoSuchDatabases(missing));
            }
        });
    }

    @Override
    public Uni<RemoveAppOutcome> removeApp(AppName name) {
        return untilDecided("app '" + name + "'", () -> storedApp(name)
                .chain(seen -> seen.isEmpty()
                        ? decided(new RemoveAppOutcome.NoSuchApp())
                        : transact("remove_app", writes.remove(seen.get()).request())
                                .map(result -> done(result, new RemoveAppOutcome.Removed()))));
    }

    @Override
    public Uni<Optional<App>> findApp(AppName name) {
        return storedApp(name).map(found -> found.map(StoredApp::app));
    }

    @Override
    public Uni<Page<App>> listApps(int limit, Optional<Cursor> after) {
        return reads.page(
                "list",
                new Section(Partition.DIRECTORY_OF_APPS.key(), limit, after),
                item -> RegistryItem.app(new AppName(item.get(SK).s()), item));
    }

    @Override
    public Uni<PutOutcome> putDatabase(Database database) {
        return untilDecided("database '" + database.id() + "'", () -> reads.get(
                        "find_database_item", RegistryItem.databaseKey(database.id()))
                .chain(item -> item.isEmpty()
                        ? transact("put_database", writes.put(database)).map(result -> done(result, put(false)))
                        : change(database, item)));
    }

    private Uni<Optional<PutOutcome>> change(Database database, Map<String, AttributeValue> item) {
        var seen = RegistryItem.database(database.id(), item).actuator();
        var pending = pendingOrder(item).filter(order -> !seen.equals(database.actuator()));
        return pending.isPresent()
                ? decided(new PutOutcome.OrderPending(pending.get()))
                : transact("put_database", writes.put(database, seen)).map(result -> done(result, put(true)));
    }

    private static Optional<PendingOrder> pendingOrder(Map<String, AttributeValue> item) {
        return PendingOrders.in(PowerItem.read(item).phase());
    }

    @Override
    public Uni<RemoveDatabaseOutcome> removeDatabase(DatabaseId id) {
        return untilDecided("database '" + id + "'", () -> databases.find(id).chain(found -> {
            if (found.isEmpty()) {
                return decided(new RemoveDatabaseOutcome.NoSuchDatabase());
            }
            var sharers = found.get().shared().sharers();
            if (!sharers.isEmpty()) {
                return decided(new RemoveDatabaseOutcome.StillLinked(
                        sharers.stream().map(Sharer::app).toList()));
            }
            var pending = pendingOrder(found.get().item());
            if (pending.isPresent()) {
                return decided(new RemoveDatabaseOutcome.OrderPending(pending.get()));
            }
            return transact("remove_database", writes.remove(id))
                    .map(result -> done(result, new RemoveDatabaseOutcome.Removed()));
        }));
    }

    @Override
    public Uni<Optional<SharedDatabase>> findDatabase(DatabaseId id) {
        return databases.find(id).map(found -> found.map(DatabaseQuery.Found::shared));
    }

    @Override
    public Uni<Page<Database>> listDatabases(int limit, Optional<Cursor> after) {
        return reads.page(
                "list",
                new Section(Partition.DIRECTORY_OF_DATABASES.key(), limit, after),
                item -> RegistryItem.database(new DatabaseId(item.get(SK).s()), item));
    }

    /** Retries until there is an outcome. No outcome means that the items have changed since they were read. */
    private <O> Uni<O> untilDecided(String what, Supplier<Uni<Optional<O>>> step) {
        return untilDecided(what, step, 1);
    }

    private <O> Uni<O> untilDecided(String what, Supplier<Uni<Optional<O>>> step, int number) {
        return Uni.createFrom().<Optional<O>>deferred(step::get).chain(outcome -> {
            if (outcome.isPresent()) {
                return Uni.createFrom().item(outcome.get());
            }
            return number < TRIES_MAX
                    ? calls.pause(number).chain(() -> untilDecided(what, step, number + 1))
                    : Uni.createFrom()
                            .failure(new StoreUnavailableException("The registration of " + what
                                    + " or its links kept changing while this request tried to change it."));
        });
    }

    private static <O> Uni<Optional<O>> decided(O outcome) {
        return Uni.createFrom().item(Optional.of(outcome));
    }

    private static <O> Optional<O> done(Transaction result, O outcome) {
        return switch (result) {
            case Transaction.Done done -> Optional.of(outcome);
            case Transaction.Cancelled cancelled -> Optional.empty();
        };
    }

    private static PutOutcome put(boolean existed) {
        return existed ? new PutOutcome.Updated() : new PutOutcome.Created();
    }

    private Uni<Transaction> transact(String operation, TransactWriteItemsRequest request) {
        return calls.transact(operation, () -> client.transactWriteItems(request));
    }

    private Uni<Optional<StoredApp>> storedApp(AppName name) {
        return reads.get("find_app", RegistryItem.appKey(name))
                .map(item -> item.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new StoredApp(
                                RegistryItem.app(name, item),
                                RegistryItem.number(item, RegistryItem.VERSION),
                                RegistryItem.number(item, RegistryItem.REVISION))));
    }
}
