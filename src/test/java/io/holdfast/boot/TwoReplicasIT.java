package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.store.dynamodb.DynamoDbLocal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two programs on one table. */
class TwoReplicasIT {
    private static final int ROUNDS = 5;
    private static final int WAITERS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static PackagedProgram one;
    private static PackagedProgram other;

    @BeforeAll
    static void start() {
        var environment = environment();
        one = PackagedProgram.start(environment);
        other = PackagedProgram.start(environment);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    @Test
    void theDatabaseIsStoppedByOneOrder() {
        try (var oneCalls = new ProgramCalls(one.address());
                var otherCalls = new ProgramCalls(other.address())) {
            for (var round = 0; round < ROUNDS; round++) {
                judgeAtOnce(oneCalls, otherCalls);
            }
        }
    }

    /** They come to the two programs in turns, and each gives the lock back at the program it came to. */
    @Test
    void theLineForALockIsOneAcrossPrograms() {
        try (var oneCalls = new ProgramCalls(one.address());
                var otherCalls = new ProgramCalls(other.address())) {
            var holder = ProgramCalls.newLockId();
            assertThat(oneCalls.acquire("line", "holder", holder).status()).isEqualTo(201);
            var served = Collections.synchronizedList(new ArrayList<String>());
            var waiting = new ArrayList<CompletableFuture<Void>>();
            for (var i = 0; i < WAITERS; i++) {
                var calls = i % 2 == 0 ? otherCalls : oneCalls;
                var owner = "w" + i;
                waiting.add(CompletableFuture.runAsync(() -> {
                    var lockId = ProgramCalls.newLockId();
                    var answer = calls.waitFor("line", owner, lockId);
                    served.add(owner + " " + answer.status());
                    calls.release("line", owner, lockId);
                }));
                var count = i + 1;
                await().atMost(PATIENCE)
                        .until(() -> calls.get("/v1/locks/line")
                                        .body()
                                        .path("waiting")
                                        .asInt()
                                == count);
            }

            otherCalls.release("line", "holder", holder);
            waiting.forEach(CompletableFuture::join);

            assertThat(served)
                    .containsExactlyElementsOf(IntStream.range(0, WAITERS)
                            .mapToObj(i -> "w" + i + " 201")
                            .toList());
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
        var environment = new HashMap<>(PowerCrew.PATIENT);
        environment.putAll(Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", "replicas-" + UUID.randomUUID(),
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "HOLDFAST_WAIT_TICKET_TTL", "10m",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                        DynamoDbLocal.shared().endpoint().toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test"));
        return environment;
    }
}
