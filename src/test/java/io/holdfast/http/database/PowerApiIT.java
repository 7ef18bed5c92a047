package io.holdfast.http.database;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same of the packaged program. */
@QuarkusIntegrationTest
class PowerApiIT extends PowerApiTest {}
