package io.holdfast.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;

/** The same of the packaged program. */
@QuarkusIntegrationTest
@TestProfile(QuietPower.class)
class PowerApiIT extends PowerApiTest {}
