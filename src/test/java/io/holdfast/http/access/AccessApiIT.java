package io.holdfast.http.access;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same of the packaged program. */
@QuarkusIntegrationTest
class AccessApiIT extends AccessApiTest {}
