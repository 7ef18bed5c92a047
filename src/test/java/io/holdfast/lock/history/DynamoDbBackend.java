package io.holdfast.lock.history;

import io.holdfast.lock.TestLimits;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FakeTable;
import io.holdfast.store.dynamodb.call.ClockGuard;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The production store for DynamoDB, with its retries, timeouts and clock guard, on a table in memory. */
final class DynamoDbBackend implements Backend {
    private static final int ATTEMPTS_MAX = 4;

    private final StoreNetwork network;
    private final FakeTable table;
    private final BiConsumer<Object, Object> recorder;

    DynamoDbBackend(StoreNetwork network) {
        this(network, (request, answer) -> {});
    }

    /** @param recorder hears of each request and its answer or failure, in the order of the table */
    DynamoDbBackend(StoreNetwork network, BiConsumer<Object, Object> recorder) {
        this.network = network;
        this.table = new FakeTable(network.simulation()::now);
        this.recorder = recorder;
    }

    @Override
    public Connection connect(Replica replica) {
        var store = new DynamoDbStore(
                new Client(replica),
                "locks",
                new DynamoDbSettings(ATTEMPTS_MAX, StoreNetwork.ATTEMPT_TIMEOUT),
                TestLimits.DEFAULT.rules(),
                new ClockGuard(
                        replica::clock,
                        replica::nanos,
                        TestLimits.DEFAULT.rules().maxClockSkew(),
                        StoreTelemetry.NONE),
                StoreTelemetry.NONE);
        return new Connection(store.locks(), store::clockCorrection);
    }

    @Override
    public void tidyUp() {
        for (Map<String, AttributeValue> key : table.deleteExpired()) {
            recorder.accept(DeleteItemRequest.builder().key(key).build(), null);
        }
    }

    private DynamoDbResponse carryOut(DynamoDbRequest request) {
        try {
            var response = table.carryOut(request);
            network.simulation().trace("table: %s: %s", request, response);
            recorder.accept(request, response);
            return response;
        } catch (DynamoDbException refused) {
            network.simulation().trace("table: %s: refused", request);
            recorder.accept(request, refused);
            throw refused;
        }
    }

    /** The way of one replica to the table. */
    private final class Client implements DynamoDbAsyncClient {
        private final Replica replica;

        Client(Replica replica) {
            this.replica = replica;
        }

        @Override
        public String serviceName() {
            return "dynamodb";
        }

        @Override
        public void close() {}

        @Override
        public CompletableFuture<UpdateItemResponse> updateItem(UpdateItemRequest request) {
            return send(request, UpdateItemResponse.class);
        }

        @Override
        public CompletableFuture<DeleteItemResponse> deleteItem(DeleteItemRequest request) {
            return send(request, DeleteItemResponse.class);
        }

        @Override
        public CompletableFuture<GetItemResponse> getItem(GetItemRequest request) {
            return send(request, GetItemResponse.class);
        }

        @Override
        public CompletableFuture<ScanResponse> scan(ScanRequest request) {
            return send(request, ScanResponse.class);
        }

        private <R> CompletableFuture<R> send(DynamoDbRequest request, Class<R> type) {
            var answer = new CompletableFuture<R>();
            var simulation = network.simulation();
            var fate = network.draw();
            switch (fate) {
                case REQUEST_LOST -> lost(answer);
                case CARRIED_OUT_LATE -> simulation.after(network.late(), () -> unheard(request));
                case ANSWER_LOST ->
                    simulation.after(network.travel(fate), () -> {
                        unheard(request);
                        lost(answer);
                    });
                default ->
                    simulation.after(network.travel(fate), () -> {
                        var done = CompletableFuture.completedFuture(request).thenApply(DynamoDbBackend.this::carryOut);
                        simulation.after(
                                network.travel(fate),
                                () -> replica.perform(() -> done.whenComplete((response, failure) -> {
                                    if (failure == null) {
                                        answer.complete(type.cast(response));
                                    } else {
                                        answer.completeExceptionally(cause(failure));
                                    }
                                })));
                    });
            }
            if (fate == Fate.REPEATED_LATE) {
                simulation.after(network.late(), () -> unheard(request));
            }
            return answer;
        }

        /** Half of the broken connections are noticed at once, the others when the attempt times out. */
        private void lost(CompletableFuture<?> answer) {
            if (network.simulation().chance(0.5)) {
                replica.after(
                        network.travel(Fate.PROMPT),
                        () -> answer.completeExceptionally(SdkClientException.create("Connection reset")));
            }
        }

        private void unheard(DynamoDbRequest request) {
            try {
                carryOut(request);
            } catch (DynamoDbException refused) {
                // Nobody hears of it.
            }
        }

        private static Throwable cause(Throwable failure) {
            return failure instanceof CompletionException ? failure.getCause() : failure;
        }
    }
}
