package io.holdfast.http.database;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;

/** The packaged program on the other store; {@code TwoReplicasIT} has the scenario that needs it. */
@QuarkusIntegrationTest
@TestProfile(QuietPowerOnDynamoDb.class)
class DatabaseApiOnDynamoDbIT implements DatabaseFacts, AppFacts, PowerAnswerFacts {}
