package io.holdfast.store.embedded;

import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.store.codec.SpecFields;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import java.util.stream.Collectors;

/** Apps and databases as JSON, with the same names as in DynamoDB. */
final class RegistryCodecs {
    private RegistryCodecs() {}

    static final class OfApp implements EmbeddedTable.Codec<App> {
        @Override
        public String encode(App app) {
            return JsonFields.write(json -> {
                JsonFields.writeMap(json, "probe", SpecFields.of(app.probe()));
                JsonFields.writeList(
                        json,
                        "databases",
                        app.databases().stream().map(DatabaseId::value).toList());
            });
        }

        @Override
        public App decode(String key, String text) {
            var fields = JsonFields.read("app '" + key + "'", text);
            return new App(
                    new AppName(key),
                    SpecFields.probe(fields.map("probe")),
                    fields.list("databases").stream().map(DatabaseId::new).collect(Collectors.toSet()));
        }
    }

    static final class OfDatabase implements EmbeddedTable.Codec<DatabaseRecord> {
        @Override
        public String encode(DatabaseRecord record) {
            var database = record.database();
            var address = database.address();
            return JsonFields.write(json -> {
                json.writeStringField("type", database.type());
                json.writeStringField("host", address.host());
                if (address.port().isPresent()) {
                    json.writeNumberField("port", address.port().get());
                }
                if (address.ec2InstanceId().isPresent()) {
                    json.writeStringField(
                            "ec2_instance_id", address.ec2InstanceId().get());
                }
                JsonFields.writeMap(json, "actuator", SpecFields.of(database.actuator()));
                json.writeNumberField("edge_version", record.edgeVersion());
                JsonFields.writeList(
                        json, "apps", record.apps().stream().map(AppName::value).toList());
            });
        }

        @Override
        public DatabaseRecord decode(String key, String text) {
            var fields = JsonFields.read("database '" + key + "'", text);
            var address = new Database.Address(
                    fields.text("host"), fields.maybe("port").map(Integer::valueOf), fields.maybe("ec2_instance_id"));
            var database = new Database(
                    new DatabaseId(key), fields.text("type"), address, SpecFields.actuator(fields.map("actuator")));
            return new DatabaseRecord(
                    database,
                    fields.number("edge_version"),
                    fields.list("apps").stream().map(AppName::new).collect(Collectors.toSet()));
        }
    }
}
