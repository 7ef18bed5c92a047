package io.holdfast.http.lock;

import io.holdfast.deploy.MonitoringFacts;
import io.holdfast.http.AboutFacts;
import io.holdfast.http.OnDynamoDb;
import io.holdfast.http.database.QuietPowerOnDynamoDb;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;

/** The packaged program on the other store: what depends on a store. Shares its start with the databases' facts. */
@QuarkusIntegrationTest
@TestProfile(QuietPowerOnDynamoDb.class)
class LockApiOnDynamoDbIT
        implements AcquireFacts,
                WaitFacts,
                LockSetFacts,
                HoldFacts,
                HeartbeatFacts,
                RenewFacts,
                NotHeldFacts,
                ReleaseFacts,
                ListFacts,
                AboutFacts,
                MonitoringFacts {
    @Override
    public int queueMax() {
        return OnDynamoDb.QUEUE_MAX;
    }

    @Override
    public Settings settings() {
        return new Settings("dynamodb", OnDynamoDb.QUEUE_MAX);
    }
}
