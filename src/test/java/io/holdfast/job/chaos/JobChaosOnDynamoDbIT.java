package io.holdfast.job.chaos;

import io.holdfast.store.dynamodb.DynamoDbLocal;
import java.util.Map;
import java.util.UUID;

class JobChaosOnDynamoDbIT extends JobChaosFacts {
    @Override
    Map<String, String> store() {
        return Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", "jobs-" + UUID.randomUUID(),
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "HOLDFAST_DYNAMODB_ATTEMPT_TIMEOUT", "10s",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                        DynamoDbLocal.shared().endpoint().toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test");
    }
}
