package io.holdfast.http.database;

import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Databases that are stopped and started over HTTP. The facts are in the interfaces, one per subject. */
@OnQuarkus
@QuarkusTest
@TestProfile(QuietPower.class)
class PowerApiTest implements PostgresFacts, PowerAnswerFacts {}
