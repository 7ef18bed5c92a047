package io.holdfast.http;

import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;
import java.util.UUID;

/** Runs the service on a table of its own in DynamoDB Local. */
public class OnDynamoDb implements QuarkusTestProfile {
    /** A short line: DynamoDB Local takes its time over every place in it. */
    public static final int QUEUE_MAX = 8;

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "holdfast.store", "dynamodb",
                "holdfast.table", "api-" + UUID.randomUUID(),
                "holdfast.dynamodb.table-create", "true",
                "holdfast.dynamodb.attempt-timeout", "1m",
                "holdfast.wait.queue-max", Integer.toString(QUEUE_MAX),
                "quarkus.dynamodb.endpoint-override",
                        DynamoDbLocal.shared().endpoint().toString(),
                "quarkus.dynamodb.aws.region", "us-east-1",
                "quarkus.dynamodb.aws.credentials.type", "static",
                "quarkus.dynamodb.aws.credentials.static-provider.access-key-id", "test",
                "quarkus.dynamodb.aws.credentials.static-provider.secret-access-key", "test");
    }
}
