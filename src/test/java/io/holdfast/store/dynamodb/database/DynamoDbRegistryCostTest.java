package io.holdfast.store.dynamodb.database;

import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.registry.RegistryFixtures.aName;
import static io.holdfast.registry.RegistryFixtures.anId;
import static io.holdfast.registry.RegistryFixtures.app;
import static io.holdfast.registry.RegistryFixtures.database;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** What the registry asks of DynamoDB, counted at the wire, and what it leaves alone. */
@Slow
class DynamoDbRegistryCostTest {
    private static final int BATCH_MAX = 25;

    private final String table = "registry-cost-" + UUID.randomUUID();
    private FaultProxy proxy;
    private DynamoDbAsyncClient client;
    private DynamoDbStore store;
    private RegistryStore registry;

    @BeforeEach
    void open() {
        proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
        client = DynamoDbLocal.shared().client(proxy.endpoint());
        store = new DynamoDbStore(
                client, table, DynamoDbSettings.DEFAULT, RULES, Clock.systemUTC(), StoreTelemetry.NONE);
        await(store.start());
        registry = store.registry();
    }

    @AfterEach
    void close() {
        client.close();
        proxy.close();
    }

    @Test
    void whoSharesADatabaseIsOneQueryHoweverManyAppsThereAre() {
        var id = registered();
        var mine = app(aName(), id);
        await(registry.putApp(mine));
        var crowded = registered();
        for (var i = 0; i < 100; i++) {
            await(registry.putApp(app(aName(), crowded)));
        }
        proxy.resetCounts();

        var shared = await(registry.findDatabase(id)).orElseThrow();

        assertThat(shared.sharers()).containsExactly(mine.sharer());
        assertThat(proxy.counts()).isEqualTo(Map.of("Query", 1));
    }

    @Test
    void aChangeIsOneReadAndOneTransactionAndNoChangeIsTheReadAlone() {
        var id = registered();
        var app = app(aName(), id);
        proxy.resetCounts();

        await(registry.putApp(app));
        assertThat(proxy.counts()).isEqualTo(Map.of("GetItem", 1, "TransactWriteItems", 1));
        await(registry.putApp(app));
        assertThat(proxy.counts()).isEqualTo(Map.of("GetItem", 2, "TransactWriteItems", 1));
        await(registry.removeApp(app.name()));
        assertThat(proxy.counts()).isEqualTo(Map.of("GetItem", 3, "TransactWriteItems", 2));
        await(registry.putDatabase(database(id)));
        assertThat(proxy.counts()).isEqualTo(Map.of("GetItem", 4, "TransactWriteItems", 3));
        await(registry.removeDatabase(id));
        assertThat(proxy.counts()).isEqualTo(Map.of("GetItem", 4, "Query", 1, "TransactWriteItems", 4));
    }

    @Test
    void aPageIsOneQuery() {
        registered();
        await(registry.putApp(app(aName())));
        proxy.resetCounts();

        await(registry.listApps(10, Optional.empty()));
        await(registry.listDatabases(10, Optional.empty()));

        assertThat(proxy.counts()).isEqualTo(Map.of("Query", 2));
    }

    @Test
    void sharersBeyondAMegabyteAreAllFound() {
        var id = registered();
        var url = URI.create("http://app.example/" + "x".repeat(2000));
        var probe = new ProbeSpec(ProbePolicy.HTTP_200, Optional.of(url), Optional.empty(), 2);
        var count = 40 * BATCH_MAX;
        IntStream.range(0, count / BATCH_MAX).forEach(batch -> {
            var links = IntStream.range(batch * BATCH_MAX, (batch + 1) * BATCH_MAX)
                    .mapToObj(i -> link(id, new AppName("app-" + i), probe))
                    .toList();
            client.batchWriteItem(write -> write.requestItems(Map.of(table, links)))
                    .join();
        });
        client.updateItem(update -> update.tableName(table)
                        .key(RegistryItem.databaseKey(id))
                        .updateExpression("SET links_sum = :sum")
                        .expressionAttributeValues(Map.of(":sum", Attributes.number(count))))
                .join();
        proxy.resetCounts();

        var shared = await(registry.findDatabase(id)).orElseThrow();

        assertThat(shared.sharers()).hasSize(count).doesNotHaveDuplicates();
        assertThat(proxy.count("Query")).isGreaterThan(1);
    }

    @Test
    void whatAnotherCapabilityKeepsOnADatabaseSurvivesEveryChangeAndComesWithALook() {
        var id = registered();
        client.updateItem(update -> update.tableName(table)
                        .key(RegistryItem.databaseKey(id))
                        .updateExpression("SET power_epoch = :seven")
                        .expressionAttributeValues(Map.of(":seven", Attributes.number(7))))
                .join();
        client.putItem(put -> put.tableName(table)
                        .item(Map.of(
                                "PK", RegistryItem.databasePartition(id), "SK", AttributeValue.fromS("DECISION#1"))))
                .join();

        var app = app(aName(), id);
        await(registry.putApp(app));
        await(registry.putDatabase(database(id, new ActuatorSpec.Rds("orders", false, Optional.empty()))));

        var look = await(store.databases().find(id)).orElseThrow();
        assertThat(look.item()).containsEntry("power_epoch", Attributes.number(7));
        assertThat(look.shared().sharers()).containsExactly(app.sharer());
    }

    private DatabaseId registered() {
        var id = anId();
        await(registry.putDatabase(database(id)));
        return id;
    }

    private static WriteRequest link(DatabaseId id, AppName app, ProbeSpec probe) {
        var item = new HashMap<>(RegistryItem.linkKey(id, app));
        item.put("probe", RegistryItem.probe(probe));
        item.put(RegistryItem.REVISION, Attributes.number(1));
        return WriteRequest.builder()
                .putRequest(PutRequest.builder().item(item).build())
                .build();
    }
}
