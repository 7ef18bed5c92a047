package io.holdfast.http.service;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;

/** The packaged program on the other store: what depends on a store. */
@QuarkusIntegrationTest
@TestProfile(QuickServicesOnDynamoDb.class)
class ServiceApiOnDynamoDbIT
        implements RegistrationFacts,
                DeploymentFacts,
                StatusFacts,
                ServiceLockFacts,
                ServiceListFacts,
                EventFacts,
                ReconciliationFacts {}
