package io.holdfast.http.service;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same of the packaged program. */
@QuarkusIntegrationTest
class ServiceApiIT extends ServiceApiTest {}
