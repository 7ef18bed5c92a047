package io.holdfast.http.lock;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same of the packaged program. */
@QuarkusIntegrationTest
class LockApiIT extends LockApiTest {}
