package io.holdfast.lifecycle.history;

import static io.holdfast.lifecycle.history.SeedRace.NEVER;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@Slow
class DynamoDbSeedRaceTest {
    /** DynamoDB Local is slow. With a step of 1 all orders are made. */
    private static final int STEP = Integer.getInteger("holdfast.test.dynamodb-seed-race-step", 36);

    @Test
    void inEveryOrderWithTheLockExpiringAnywhereTheLateDeployingDoesNotLandAfterRunning() {
        try (var client = DynamoDbLocal.shared().replicasClient()) {
            var store = new DynamoDbStore(
                    client,
                    "seed-race-" + UUID.randomUUID(),
                    DynamoDbSettings.DEFAULT,
                    Fixtures.RULES,
                    Clock.systemUTC(),
                    StoreTelemetry.NONE);
            Fixtures.await(store.start());
            var deciding = SeedRace.decidedByVersion();
            for (var i = 0; i < deciding.size(); i += STEP * SeedRace.STEPS) {
                new SeedRace(store.lifecycle())
                        .run(deciding.get(i).order(), deciding.get(i).asleepBefore());
            }
            var orders = SeedRace.orders();
            for (var i = 0; i < orders.size(); i += STEP) {
                new SeedRace(store.lifecycle()).run(orders.get(i), i / STEP % (NEVER + 1));
            }
        }
    }
}
