package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.store.dynamodb.DynamoDbLocal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two programs on one table judge the same database at the same moment. */
class TwoReplicasIT {
    private static final int ROUNDS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void theDatabaseIsStoppedByOneOrder() {
        var environment = environment();
        try (var one = PackagedProgram.start(environment);
                var other = PackagedProgram.start(environment);
                var oneCalls = new ProgramCalls(one.address());
                var otherCalls = new ProgramCalls(other.address())) {
            for (var round = 0; round < ROUNDS; round++) {
                judgeAtOnce(oneCalls, otherCalls);
            }
        }
    }

    private static void judgeAtOnce(ProgramCalls one, ProgramCalls other) {
        try (var crew = new PowerCrew().register(one)) {
            crew.first.goDown();
            crew.second.goDown();

            var answer = CompletableFuture.supplyAsync(() -> PowerCrew.stop(one, crew.firstName));
            PowerCrew.stop(other, crew.secondName);
            answer.join();

            await().atMost(PATIENCE).until(() -> crew.observed(other).equals("STOPPED"));
            assertThat(crew.webhook.orders()).containsExactly("stop");
        }
    }

    private static Map<String, String> environment() {
        var environment = new HashMap<>(PowerCrew.QUICK);
        environment.putAll(Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", "replicas-" + UUID.randomUUID(),
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                        DynamoDbLocal.shared().endpoint().toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test"));
        return environment;
    }
}
