package io.holdfast.http;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The same on the other store: a caller cannot tell which one answers. */
@QuarkusTest
@TestProfile(OnDynamoDb.class)
class RegistryApiOnDynamoDbTest extends RegistryApiTest {}
