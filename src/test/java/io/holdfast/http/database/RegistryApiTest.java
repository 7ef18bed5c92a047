package io.holdfast.http.database;

import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;

/** The registry's API, line by line. The facts are in the interfaces, one per subject. */
@OnQuarkus
@QuarkusTest
class RegistryApiTest implements DatabaseFacts, AppFacts, RegistryRefusalFacts {}
