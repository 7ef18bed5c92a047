package io.holdfast.store.dynamodb;

import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What the service makes when it may create its table, in the words of CloudFormation. */
public record TableMade(
        String name,
        List<Map<String, String>> keySchema,
        List<Map<String, String>> attributes,
        String ttlAttribute,
        String billingMode) {

    public static TableMade byTheService() {
        var name = "made-" + UUID.randomUUID();
        try (var client = DynamoDbLocal.shared().client()) {
            var store = new DynamoDbStore(
                    client, name, DynamoDbSettings.DEFAULT, RULES, Clock.systemUTC(), StoreTelemetry.NONE);
            await(store.table().create());
            return described(client, name);
        }
    }

    private static TableMade described(DynamoDbAsyncClient client, String name) {
        var table = client.describeTable(describe -> describe.tableName(name))
                .join()
                .table();
        var ttl =
                client.describeTimeToLive(describe -> describe.tableName(name)).join();
        return new TableMade(
                name,
                table.keySchema().stream()
                        .map(key -> Map.of("AttributeName", key.attributeName(), "KeyType", key.keyTypeAsString()))
                        .toList(),
                table.attributeDefinitions().stream()
                        .map(attribute -> Map.of(
                                "AttributeName",
                                attribute.attributeName(),
                                "AttributeType",
                                attribute.attributeTypeAsString()))
                        .toList(),
                ttl.timeToLiveDescription().attributeName(),
                table.billingModeSummary().billingModeAsString());
    }
}
