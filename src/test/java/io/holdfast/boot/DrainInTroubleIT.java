package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A program that is told to stop while DynamoDB cannot be reached. */
class DrainInTroubleIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** More than one operation of the store tries by itself. */
    private static final int MORE_THAN_ONE_OPERATION = 6;

    @Test
    void whoWaitsIsToldAtOnceAndItsPlaceIsGivenUpBeforeTheProgramEnds() {
        var environment = Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", "drain-" + UUID.randomUUID(),
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "HOLDFAST_DRAIN_DELAY", "100ms",
                "HOLDFAST_WAIT_TICKET_TTL", "10m",
                "HOLDFAST_LOCK_CLEANUP_DRAIN_MAX", PATIENCE.toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test");
        try (var proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
                var witness = PackagedProgram.start(
                        with(environment, DynamoDbLocal.shared().endpoint().toString()));
                var program =
                        PackagedProgram.start(with(environment, proxy.endpoint().toString()));
                var calls = new ProgramCalls(program.address());
                var elsewhere = new ProgramCalls(witness.address())) {
            calls.acquire("waited-for", "holder", ProgramCalls.newLockId());
            var waiting = CompletableFuture.supplyAsync(
                    () -> calls.waitFor("waited-for", "waiter", ProgramCalls.newLockId()));
            await().atMost(PATIENCE).until(() -> waitingAt(elsewhere) == 1);

            proxy.always(Fault.REFUSE);
            program.terminate();

            assertThat(waiting.join().status()).isEqualTo(503);
            var before = proxy.count("GetItem");
            await().atMost(PATIENCE).until(() -> proxy.count("GetItem") > before + MORE_THAN_ONE_OPERATION);
            proxy.heal();
            program.awaitExit();
            assertThat(waitingAt(elsewhere)).isZero();
        }
    }

    private static int waitingAt(ProgramCalls calls) {
        return calls.get("/v1/locks/waited-for").body().path("waiting").asInt();
    }

    private static Map<String, String> with(Map<String, String> environment, String endpoint) {
        var all = new HashMap<>(environment);
        all.put("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", endpoint);
        return all;
    }
}
