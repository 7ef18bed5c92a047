package io.holdfast.http.service;

import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The API of services, line by line. The facts are in the interfaces, one per subject. */
@OnQuarkus
@QuarkusTest
@TestProfile(QuickServices.class)
class ServiceApiTest
        implements RegistrationFacts,
                DeploymentFacts,
                StatusFacts,
                ServiceLockFacts,
                ServiceListFacts,
                EventFacts,
                ReconciliationFacts,
                ServiceRefusalFacts {}
