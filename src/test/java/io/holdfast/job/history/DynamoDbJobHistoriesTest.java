package io.holdfast.job.history;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import io.holdfast.suite.Slow;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The histories of {@link JobHistoriesTest} on DynamoDB, fewer of them. */
@Slow
class DynamoDbJobHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("holdfast.test.dynamodb-job-histories", 12);

    @Test
    void noTwoWorkersRelyOnOneClusterAndEveryJobEnds() {
        try (var client = DynamoDbLocal.shared().replicasClient()) {
            var store = new DynamoDbStore(
                    client,
                    "job-histories-" + UUID.randomUUID(),
                    DynamoDbSettings.DEFAULT,
                    Fixtures.RULES,
                    Clock.systemUTC(),
                    StoreTelemetry.NONE);
            Fixtures.await(store.start());
            JobHistory.playAll(HISTORIES, store.jobs());
        }
    }
}
