package io.holdfast.power;

import io.holdfast.lock.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbConfig;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

class DynamoDbPowerTest extends PowerContract {
    static final DynamoDbConfig PATIENT = new Patient();

    private DynamoDbAsyncClient client;

    @Override
    protected World newWorld() {
        client = DynamoDbLocal.shared().client();
        var store = new DynamoDbStore(
                client,
                "power-" + UUID.randomUUID(),
                PATIENT,
                Fixtures.RULES,
                new DynamoDbStore.Surroundings(Clock.systemUTC(), StoreTelemetry.NONE));
        Fixtures.await(store.start());
        return new World(store.locks(), store.registry(), store.power());
    }

    @AfterEach
    void close() {
        client.close();
    }

    private record Patient() implements DynamoDbConfig {
        @Override
        public int attemptsMax() {
            return 4;
        }

        @Override
        public Duration attemptTimeout() {
            return Duration.ofSeconds(20);
        }

        @Override
        public Duration backoffBase() {
            return Duration.ofMillis(1);
        }

        @Override
        public Duration backoffMax() {
            return Duration.ofMillis(10);
        }

        @Override
        public boolean tableCreate() {
            return true;
        }

        @Override
        public int sweepParallelMax() {
            return 4;
        }
    }
}
