package io.holdfast.store.dynamodb.service;

import static io.holdfast.lifecycle.port.ServiceDriver.anIdOf;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lifecycle.port.ServiceDriver;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** A store of services behind a fault proxy, on a table of its own. It knows the end of the feed of {@link #SHARD}. */
final class ServiceRig implements AutoCloseable {
    static final String TRANSACTION = "TransactWriteItems";

    /** Has one entry. */
    static final int SHARD = 1;

    /** Of DynamoDB, for one request. */
    private static final int BATCH_MAX = 25;

    final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
    private final String table = "services-" + UUID.randomUUID();
    private final DynamoDbAsyncClient client = DynamoDbLocal.shared().client(proxy.endpoint());
    private final DynamoDbAsyncClient direct = DynamoDbLocal.shared().client();
    final LifecycleStore store = open(client);
    final ServiceDriver driver = new ServiceDriver(store);

    /** On the same table, without faults. */
    final ServiceDriver otherReplica = new ServiceDriver(open(direct));

    ServiceRig() {
        driver.register(anIdOf(SHARD), NOON);
        proxy.resetCounts();
    }

    private LifecycleStore open(DynamoDbAsyncClient through) {
        var opened = new DynamoDbStore(
                through, table, DynamoDbSettings.DEFAULT, Fixtures.RULES, Clock.systemUTC(), StoreTelemetry.NONE);
        await(opened.start());
        return opened.lifecycle();
    }

    /** The item as it is in the table. */
    Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        return direct.getItem(get -> get.tableName(table).key(key).consistentRead(true))
                .join()
                .item();
    }

    void put(Map<String, AttributeValue> item) {
        direct.putItem(put -> put.tableName(table).item(item)).join();
    }

    /** Services without a history, in batches. */
    void putAll(List<Service> services) {
        for (var from = 0; from < services.size(); from += BATCH_MAX) {
            var batch = services.subList(from, Math.min(services.size(), from + BATCH_MAX)).stream()
                    .map(service -> WriteRequest.builder()
                            .putRequest(put -> put.item(ServiceItem.of(service)))
                            .build())
                    .toList();
            var unprocessed = direct.batchWriteItem(write -> write.requestItems(Map.of(table, batch)))
                    .join()
                    .unprocessedItems();
            assertThat(unprocessed).isEmpty();
        }
    }

    void delete(Map<String, AttributeValue> key) {
        direct.deleteItem(delete -> delete.tableName(table).key(key)).join();
    }

    @Override
    public void close() {
        client.close();
        direct.close();
        proxy.close();
    }
}
