package io.holdfast.http.edge;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same of the packaged program. */
@QuarkusIntegrationTest
class HostileRequestsIT extends HostileRequestsTest {}
