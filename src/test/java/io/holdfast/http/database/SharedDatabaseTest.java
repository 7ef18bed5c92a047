package io.holdfast.http.database;

import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same with somebody who looks again by himself. */
@OnQuarkus
@QuarkusTest
@TestProfile(QuickPower.class)
class SharedDatabaseTest implements SharedDatabaseFacts {}
