package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.number;

import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.LinkChanges;
import io.holdfast.store.codec.PendingOrders;
import io.holdfast.store.codec.Revisions;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * The writes of the registry, one transaction each. An app that replaces all its databases writes
 * {@code 2 + 4 * }{@link App#DATABASES_MAX} items. A transaction takes 100.
 */
final class RegistryWrites {
    private static final String EXISTS = "attribute_exists(#PK)";
    private static final String IS_NEW = "attribute_not_exists(#PK)";
    private static final Map<String, String> KEY_NAME = Map.of("#PK", Attributes.PK);

    private final String table;

    RegistryWrites(String table) {
        this.table = table;
    }

    /** An app as it was read, with the versions that a change must find unchanged. */
    record StoredApp(App app, long version, long revision) {}

    /** @param mustExist each database that gets a link, by the index of its item in the transaction */
    record Relinking(TransactWriteItemsRequest request, Map<Integer, DatabaseId> mustExist) {}

    Relinking put(Optional<StoredApp> seen, App app) {
        var revision = seen.filter(old -> old.app().probe().equals(app.probe()))
                .map(StoredApp::revision)
                .orElseGet(Revisions::fresh);
        var values = new HashMap<>(RegistryItem.attributes(app));
        values.put(RegistryItem.VERSION, number(Revisions.fresh()));
        values.put(RegistryItem.REVISION, number(revision));
        var unchanged = seen.map(old -> condition(old.version())).orElse(new Condition(IS_NEW, KEY_NAME, Map.of()));
        var directory = entry(Partition.DIRECTORY_OF_APPS, app.name().value(), RegistryItem.attributes(app));
        var writes =
                new ArrayList<>(List.of(set(RegistryItem.appKey(app.name()), values, List.of(), unchanged), directory));
        return relink(writes, new Relink(seen, Optional.of(app), revision));
    }

    Relinking remove(StoredApp seen) {
        var name = seen.app().name();
        var writes = new ArrayList<>(List.of(
                delete(RegistryItem.appKey(name), condition(seen.version())),
                delete(RegistryItem.directoryKey(Partition.DIRECTORY_OF_APPS, name.value()), Condition.NONE)));
        return relink(writes, new Relink(Optional.of(seen), Optional.empty(), 0));
    }

    /** Registers a new database. */
    TransactWriteItemsRequest put(Database database) {
        var first = Map.of(
                RegistryItem.EDGE_VERSION, number(Revisions.fresh()),
                RegistryItem.LINKS_SUM, number(0));
        return put(database, first, new Condition(IS_NEW, KEY_NAME, Map.of()));
    }

    /**
     * Changes a registered database. Its actuator must be the one that was read. If the change replaces the actuator,
     * no order may be pending, because the same actuator must report how an order ends.
     */
    TransactWriteItemsRequest put(Database database, ActuatorSpec seen) {
        var names = new HashMap<>(Map.of("#PK", Attributes.PK, "#" + RegistryItem.ACTUATOR, RegistryItem.ACTUATOR));
        var values = new HashMap<>(Map.of(":seen", RegistryItem.actuator(seen)));
        var condition = EXISTS + " AND #" + RegistryItem.ACTUATOR + " = :seen";
        if (!database.actuator().equals(seen)) {
            condition += " AND " + noOrderPending(names, values);
        }
        return put(database, Map.of(), new Condition(condition, names, values));
    }

    private TransactWriteItemsRequest put(Database database, Map<String, AttributeValue> besides, Condition condition) {
        var attributes = RegistryItem.attributes(database);
        var missing = RegistryItem.OPTIONAL_OF_DATABASE.stream()
                .filter(name -> !attributes.containsKey(name))
                .toList();
        var values = new HashMap<>(attributes);
        values.putAll(besides);
        return request(List.of(
                set(RegistryItem.databaseKey(database.id()), values, missing, condition),
                entry(Partition.DIRECTORY_OF_DATABASES, database.id().value(), attributes)));
    }

    /** Succeeds only if no order is pending and there is no link. The sum of the revisions of no links is zero. */
    TransactWriteItemsRequest remove(DatabaseId id) {
        var names = new HashMap<>(Map.of("#links_sum", RegistryItem.LINKS_SUM));
        var values = new HashMap<>(Map.of(":none", number(0)));
        var condition = "#links_sum = :none AND " + noOrderPending(names, values);
        return request(List.of(
                delete(RegistryItem.databaseKey(id), new Condition(condition, names, values)),
                delete(RegistryItem.directoryKey(Partition.DIRECTORY_OF_DATABASES, id.value()), Condition.NONE)));
    }

    private static String noOrderPending(Map<String, String> names, Map<String, AttributeValue> values) {
        names.put("#phase", PowerItem.PHASE);
        var pending = PendingOrders.phases();
        pending.forEach(phase -> values.put(":" + phase.name(), Attributes.text(phase.name())));
        return pending.stream()
                .map(phase -> ":" + phase.name())
                .collect(Collectors.joining(", ", "(attribute_not_exists(#phase) OR NOT #phase IN (", "))"));
    }

    /** @param revision the new revision of the links */
    private record Relink(Optional<StoredApp> before, Optional<App> after, long revision) {
        AppName app() {
            return after.or(() -> before.map(StoredApp::app)).orElseThrow().name();
        }

        LinkChanges changes() {
            return LinkChanges.between(before.map(StoredApp::app), after);
        }

        long oldRevision() {
            return before.map(StoredApp::revision).orElse(0L);
        }
    }

    private Relinking relink(List<TransactWriteItem> writes, Relink relink) {
        var changes = relink.changes();
        var mustExist = new HashMap<Integer, DatabaseId>();
        for (var id : changes.made()) {
            mustExist.put(writes.size(), id);
            writes.add(raiseEdge(id, relink.revision()));
            writes.add(link(id, relink));
        }
        for (var id : changes.altered()) {
            writes.add(raiseEdge(id, relink.revision() - relink.oldRevision()));
            writes.add(link(id, relink));
        }
        for (var id : changes.broken()) {
            writes.add(raiseEdge(id, -relink.oldRevision()));
            writes.add(delete(RegistryItem.linkKey(id, relink.app()), Condition.NONE));
        }
        return new Relinking(request(writes), mustExist);
    }

    private TransactWriteItem raiseEdge(DatabaseId id, long sumChange) {
        return TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(table)
                        .key(RegistryItem.databaseKey(id))
                        .updateExpression("ADD #edge_version :one, #links_sum :change")
                        .conditionExpression(EXISTS)
                        .expressionAttributeNames(Map.of(
                                "#PK", Attributes.PK,
                                "#edge_version", RegistryItem.EDGE_VERSION,
                                "#links_sum", RegistryItem.LINKS_SUM))
                        .expressionAttributeValues(Map.of(":one", number(1), ":change", number(sumChange)))
                        .build())
                .build();
    }

    private TransactWriteItem link(DatabaseId id, Relink relink) {
        var item = new HashMap<>(RegistryItem.linkKey(id, relink.app()));
        item.put("probe", RegistryItem.probe(relink.after().orElseThrow().probe()));
        item.put(RegistryItem.REVISION, number(relink.revision()));
        return put(item);
    }

    private TransactWriteItem entry(Partition directory, String name, Map<String, AttributeValue> attributes) {
        var item = new HashMap<>(attributes);
        item.putAll(RegistryItem.directoryKey(directory, name));
        return put(item);
    }

    private TransactWriteItem put(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(Put.builder().tableName(table).item(item).build())
                .build();
    }

    private record Condition(String expression, Map<String, String> names, Map<String, AttributeValue> values) {
        static final Condition NONE = new Condition(null, null, null);
    }

    private static Condition condition(long version) {
        return new Condition(
                "#version = :seen", Map.of("#version", RegistryItem.VERSION), Map.of(":seen", number(version)));
    }

    /** Sets and removes these attributes. Other attributes of the item stay, such as those of the power store. */
    private TransactWriteItem set(
            Map<String, AttributeValue> key,
            Map<String, AttributeValue> set,
            List<String> remove,
            Condition condition) {
        var names = new HashMap<>(condition.names());
        Stream.concat(set.keySet().stream(), remove.stream()).forEach(name -> names.put("#" + name, name));
        var values = new HashMap<>(condition.values());
        set.forEach((name, value) -> values.put(":" + name, value));
        var sets = set.keySet().stream().map(name -> "#" + name + " = :" + name).collect(Collectors.joining(", "));
        var removes = remove.stream().map(name -> "#" + name).collect(Collectors.joining(", "));
        return TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(table)
                        .key(key)
                        .updateExpression("SET " + sets + (removes.isEmpty() ? "" : " REMOVE " + removes))
                        .conditionExpression(condition.expression())
                        .expressionAttributeNames(names)
                        .expressionAttributeValues(values)
                        .build())
                .build();
    }

    private TransactWriteItem delete(Map<String, AttributeValue> key, Condition condition) {
        return TransactWriteItem.builder()
                .delete(Delete.builder()
                        .tableName(table)
                        .key(key)
                        .conditionExpression(condition.expression())
                        .expressionAttributeNames(condition.names())
                        .expressionAttributeValues(condition.values())
                        .build())
                .build();
    }

    private static TransactWriteItemsRequest request(List<TransactWriteItem> writes) {
        return TransactWriteItemsRequest.builder()
                .transactItems(writes)
                .clientRequestToken(UUID.randomUUID().toString())
                .build();
    }
}
