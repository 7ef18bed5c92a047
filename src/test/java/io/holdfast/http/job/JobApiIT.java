package io.holdfast.http.job;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same of the packaged program. */
@QuarkusIntegrationTest
class JobApiIT extends JobApiTest {}
