package io.holdfast.job.chaos;

import io.holdfast.boot.PackagedProgram;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

/** DynamoDB closes each connection without an answer. */
class JobOutageOnDynamoDbIT extends JobOutageFacts {
    private final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    @Override
    Map<String, String> store() {
        return Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", "outage-" + UUID.randomUUID(),
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", proxy.endpoint().toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test");
    }

    @Override
    void cutOff(PackagedProgram running) {
        proxy.always(Fault.REFUSE);
    }

    @Override
    void heal(PackagedProgram running) {
        proxy.heal();
    }
}
