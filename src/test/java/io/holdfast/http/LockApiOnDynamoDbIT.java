package io.holdfast.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;

/** The packaged program on the other store. */
@QuarkusIntegrationTest
@TestProfile(OnDynamoDb.class)
class LockApiOnDynamoDbIT extends LockApiTest {
    @Override
    public int lineMax() {
        return OnDynamoDb.LINE_MAX;
    }
}
