package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision.Result;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** What a stop asks of DynamoDB, counted at the wire. */
@Slow
class DynamoDbPowerCostTest {
    private static final int APPS = 10_000;
    private static final int BATCH_MAX = 25;
    private static final int PARALLEL = 16;

    private final String table = "power-cost-" + UUID.randomUUID();
    private final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
    private final DynamoDbAsyncClient client = DynamoDbLocal.shared().client(proxy.endpoint());

    @AfterEach
    void close() {
        client.close();
        proxy.close();
    }

    /** Every request names the items that it is about; the only query is for one database and its sharers. */
    @Test
    void aStopCostsTheSameHoweverManyAppsAreRegistered() {
        var store = new DynamoDbStore(
                client, table, DynamoDbSettings.DEFAULT, Fixtures.RULES, Clock.systemUTC(), StoreTelemetry.NONE);
        await(store.start());
        var before = costOfAStop(new World(store.locks(), store.registry(), store.power()));
        registerManyApps();

        var after = costOfAStop(new World(store.locks(), store.registry(), store.power()));

        assertThat(after).isEqualTo(before).doesNotContainKey("Scan");
    }

    private Map<String, Integer> costOfAStop(World world) {
        var app = world.app("a", AppStatus.DOWN);
        world.app("b", AppStatus.DOWN);
        var replica = world.replica();
        proxy.resetCounts();
        assertThat(replica.stop(app).result()).isEqualTo(Result.STOPPED);
        return proxy.counts();
    }

    /** Copies of an app that is there, under other names. */
    private void registerManyApps() {
        var app = items("DIRECTORY#APPS").getFirst();
        await(Multi.createFrom()
                .range(0, APPS / BATCH_MAX)
                .onItem()
                .transformToUni(batch -> Uni.createFrom().completionStage(() -> writeCopies(app, batch)))
                .merge(PARALLEL)
                .collect()
                .asList());
    }

    private CompletionStage<BatchWriteItemResponse> writeCopies(Map<String, AttributeValue> app, int batch) {
        var copies = IntStream.range(batch * BATCH_MAX, (batch + 1) * BATCH_MAX)
                .mapToObj(i -> {
                    var copy = new HashMap<>(app);
                    copy.put("SK", AttributeValue.fromS("app-" + i));
                    return WriteRequest.builder()
                            .putRequest(put -> put.item(copy))
                            .build();
                })
                .toList();
        return client.batchWriteItem(write -> write.requestItems(Map.of(table, copies)));
    }

    private List<Map<String, AttributeValue>> items(String partition) {
        return client.query(query -> query.tableName(table)
                        .keyConditionExpression("PK = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(partition))))
                .join()
                .items();
    }
}
