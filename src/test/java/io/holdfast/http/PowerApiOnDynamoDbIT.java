package io.holdfast.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;

/** The packaged program on the other store. */
@QuarkusIntegrationTest
@TestProfile(QuickPowerOnDynamoDb.class)
class PowerApiOnDynamoDbIT implements SharedDatabaseFacts, PowerAnswerFacts {}
