package io.holdfast.http;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/**
 * Databases that are stopped and started over HTTP. The facts are in the interfaces, one per subject. Traced, because to
 * trace is another build of the program, and one more for this alone would take its time.
 */
@QuarkusTest
@TestProfile(TracingOn.class)
class PowerApiTest implements PostgresFacts, PowerAnswerFacts {}
