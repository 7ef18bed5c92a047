package io.holdfast.http;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** The service on a DynamoDB that does not answer. */
public class StoreAway implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "holdfast.store", "dynamodb",
                // The port of the discard service: nothing listens there.
                "quarkus.dynamodb.endpoint-override", "http://127.0.0.1:9",
                "quarkus.dynamodb.aws.region", "us-east-1",
                "quarkus.dynamodb.aws.credentials.type", "static",
                "quarkus.dynamodb.aws.credentials.static-provider.access-key-id", "test",
                "quarkus.dynamodb.aws.credentials.static-provider.secret-access-key", "test");
    }
}
