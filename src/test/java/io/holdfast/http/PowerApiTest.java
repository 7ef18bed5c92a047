package io.holdfast.http;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Databases that are stopped and started over HTTP. The facts are in the interfaces, one per subject. */
@QuarkusTest
@TestProfile(QuietPower.class)
class PowerApiTest implements PostgresFacts, PowerAnswerFacts {}
