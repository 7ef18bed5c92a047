package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** DynamoDB is away: the replicas go on serving, so that clients get the 503 that tells them what to do. */
class StoreOutageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void aReplicaServesThroughAnOutageAndSaysSoOnTheStoresOwnCheck() throws Exception {
        try (var proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
                var program = PackagedProgram.start(environment(proxy));
                var calls = new ProgramCalls(program.address())) {
            assertThat(calls.get("/q/health/group/store").status()).isEqualTo(200);
            proxy.always(Fault.REFUSE);

            var refused = calls.acquire("nightly", "ada", ProgramCalls.newLockId());
            var ready = calls.get("/q/health/ready");
            var store = calls.get("/q/health/group/store");

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text("code")).isEqualTo("store-unavailable");
            assertThat(ready.status()).isEqualTo(200);
            assertThat(ready.body().findValuesAsText("store_problem_1")).hasSize(1);
            assertThat(store.status()).isEqualTo(503);
            assertThat(store.body().findValuesAsText("name")).containsExactly("store");
            assertThat(store.body().findValuesAsText("problem_1")).hasSize(1);

            proxy.heal();
            await().atMost(PATIENCE)
                    .until(() -> calls.get("/q/health/group/store").status() == 200);
        }
    }

    private static Map<String, String> environment(FaultProxy proxy) {
        return Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", "outage-" + UUID.randomUUID(),
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", proxy.endpoint().toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test");
    }
}
