package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.Sharer;
import io.holdfast.store.codec.SpecFields;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.Partition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Apps, databases and links as items of the table. A database and its links share a partition key, and the database
 * sorts first. Two directory partitions contain copies of all apps and all databases, for lists.
 */
final class RegistryItem {
    static final String EDGE_VERSION = "edge_version";
    /** The sum of the revisions of a database's links. It detects a query that saw part of a transaction. */
    static final String LINKS_SUM = "links_sum";
    /** Changes with every write of an app. */
    static final String VERSION = "version";
    /** Changes with every change of an app's probe. On the app and on each of its links. */
    static final String REVISION = "revision";

    static final String SK_DATABASE = "#DB";
    static final String SK_LINK_PREFIX = "APP#";
    /** Sorts after every link. */
    static final String SK_LINKS_END = "APP$";

    static final String ACTUATOR = "actuator";

    private static final String SK_APP = "APP";
    private static final String PORT = "port";
    private static final String EC2_INSTANCE_ID = "ec2_instance_id";

    /** Optional attributes. They are removed from the item if the new registration lacks them. */
    static final List<String> OPTIONAL_OF_DATABASE = List.of(PORT, EC2_INSTANCE_ID);

    private RegistryItem() {}

    static AttributeValue databasePartition(DatabaseId id) {
        return Partition.DATABASE.of(id);
    }

    static Map<String, AttributeValue> databaseKey(DatabaseId id) {
        return Map.of(PK, databasePartition(id), SK, text(SK_DATABASE));
    }

    static Map<String, AttributeValue> linkKey(DatabaseId id, AppName app) {
        return Map.of(PK, databasePartition(id), SK, text(SK_LINK_PREFIX + app));
    }

    static Map<String, AttributeValue> appKey(AppName app) {
        return Map.of(PK, Partition.APP.of(app), SK, text(SK_APP));
    }

    static Map<String, AttributeValue> directoryKey(Partition directory, String name) {
        return Map.of(PK, directory.key(), SK, text(name));
    }

    static Map<String, AttributeValue> attributes(App app) {
        return Map.of(
                "probe",
                probe(app.probe()),
                "databases",
                AttributeValue.fromL(
                        app.databases().stream().map(id -> text(id.value())).toList()));
    }

    static Map<String, AttributeValue> attributes(Database database) {
        var attributes = new HashMap<String, AttributeValue>();
        attributes.put("type", text(database.type()));
        attributes.put("host", text(database.address().host()));
        attributes.put(ACTUATOR, actuator(database.actuator()));
        database.address().port().ifPresent(port -> attributes.put(PORT, Attributes.number(port)));
        database.address().ec2InstanceId().ifPresent(id -> attributes.put(EC2_INSTANCE_ID, text(id)));
        return attributes;
    }

    static AttributeValue actuator(ActuatorSpec actuator) {
        return Attributes.map(SpecFields.of(actuator));
    }

    static AttributeValue probe(ProbeSpec probe) {
        return Attributes.map(SpecFields.of(probe));
    }

    static App app(AppName name, Map<String, AttributeValue> item) {
        var databases = item.get("databases").l().stream()
                .map(id -> new DatabaseId(id.s()))
                .collect(Collectors.toSet());
        return new App(name, probe(item), databases);
    }

    static Database database(DatabaseId id, Map<String, AttributeValue> item) {
        var address = new Database.Address(
                item.get("host").s(),
                Optional.ofNullable(item.get(PORT)).map(port -> Integer.valueOf(port.n())),
                Optional.ofNullable(item.get(EC2_INSTANCE_ID)).map(AttributeValue::s));
        return new Database(id, item.get("type").s(), address, SpecFields.actuator(texts(item.get(ACTUATOR))));
    }

    static boolean isLink(Map<String, AttributeValue> item) {
        return item.get(SK).s().startsWith(SK_LINK_PREFIX);
    }

    static Sharer sharer(Map<String, AttributeValue> link) {
        return new Sharer(new AppName(link.get(SK).s().substring(SK_LINK_PREFIX.length())), probe(link));
    }

    static long number(Map<String, AttributeValue> item, String name) {
        return Long.parseLong(item.get(name).n());
    }

    private static ProbeSpec probe(Map<String, AttributeValue> item) {
        return SpecFields.probe(texts(item.get("probe")));
    }

    private static Map<String, String> texts(AttributeValue map) {
        return map.m().entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .s()));
    }
}
