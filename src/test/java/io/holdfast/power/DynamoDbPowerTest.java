package io.holdfast.power;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@Slow
class DynamoDbPowerTest extends PowerContract {
    private DynamoDbAsyncClient client;

    @Override
    protected World newWorld() {
        client = DynamoDbLocal.shared().replicasClient();
        var store = new DynamoDbStore(
                client,
                "power-" + UUID.randomUUID(),
                DynamoDbSettings.DEFAULT,
                Fixtures.RULES,
                Clock.systemUTC(),
                StoreTelemetry.NONE);
        Fixtures.await(store.start());
        return new World(store.locks(), store.registry(), store.power());
    }

    @AfterEach
    void close() {
        client.close();
    }
}
