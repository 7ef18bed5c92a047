package io.holdfast.http;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same with somebody who looks again by himself. */
@QuarkusTest
@TestProfile(QuickPower.class)
class SharedDatabaseTest implements SharedDatabaseFacts {}
