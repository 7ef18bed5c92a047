package io.holdfast.http.access;

import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The API with access control. The facts are in the interfaces, one per subject. */
@OnQuarkus
@QuarkusTest
@TestProfile(AccessOn.class)
class AccessApiTest
        implements AccessMatrixFacts,
                AccessHeaderFacts,
                AccessPathFacts,
                AccessListFacts,
                AccessActionFacts,
                AccessStreamFacts {}
