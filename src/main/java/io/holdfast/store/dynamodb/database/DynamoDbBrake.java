package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.power.model.Brake;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.holdfast.store.dynamodb.call.DynamoDbReads;
import io.holdfast.store.dynamodb.call.Partition;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The brake on stops, one item for all replicas. A pause has no condition, so that it succeeds while many replicas
 * count stops. A stop whose answer was lost may be counted twice, which is safe.
 */
final class DynamoDbBrake {
    private static final int TRIES_MAX = 12;
    private static final Map<String, AttributeValue> KEY = Map.of(PK, Partition.POWER.key(), SK, text("BRAKE"));
    private static final String PAUSED = "paused";
    private static final String STOPS = "stops";
    private static final String VERSION = "version";

    private final DynamoDbReads reads;
    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;

    DynamoDbBrake(DynamoDbReads reads) {
        this.reads = reads;
        this.client = reads.client();
        this.calls = reads.calls();
    }

    Uni<Brake> read() {
        return reads.get("brake", KEY).map(DynamoDbBrake::brake);
    }

    Uni<Void> pause(Optional<String> reason) {
        var request = reason.map(why -> update("SET #paused = :why ADD #version :one", Map.of(":why", text(why))))
                .orElseGet(() -> update("REMOVE #paused ADD #version :one", Map.of()))
                .expressionAttributeNames(Map.of("#paused", PAUSED, "#version", VERSION))
                .build();
        return calls.call("pause", () -> client.updateItem(request))
                .map(Result::unconditional)
                .replaceWithVoid();
    }

    Uni<Brake.Permit> permitStop(int max, Instant now) {
        return change(brake -> brake.ask(max, now), 1);
    }

    Uni<Void> returnPermit(Brake.Permit.Granted permit) {
        return change(brake -> new Brake.Decision(permit, brake.without(permit)), 1)
                .onFailure(StoreUnavailableException.class)
                .recoverWithNull()
                .replaceWithVoid();
    }

    private Uni<Brake.Permit> change(Function<Brake, Brake.Decision> step, int number) {
        return reads.get("brake", KEY).chain(item -> {
            var before = brake(item);
            var decision = step.apply(before);
            if (decision.brake().equals(before)) {
                return Uni.createFrom().item(decision.permit());
            }
            return calls.call("brake", () -> client.updateItem(stops(item, decision.brake())))
                    .chain(result -> switch (result) {
                        case Result.Done<?> done -> Uni.createFrom().item(decision.permit());
                        case Result.Refused<?> refused ->
                            number < TRIES_MAX
                                    ? calls.pause(number).chain(() -> change(step, number + 1))
                                    : Uni.createFrom()
                                            .failure(new StoreUnavailableException(
                                                    "Other requests kept changing the brake on stops."));
                    });
        });
    }

    /** Succeeds only if no stop and no pause was written since {@code seen}. */
    private UpdateItemRequest stops(Map<String, AttributeValue> seen, Brake brake) {
        var stops = AttributeValue.fromL(
                brake.stops().stream().map(Attributes::time).toList());
        var request = update("SET #stops = :stops ADD #version :one", Map.of(":stops", stops))
                .expressionAttributeNames(Map.of("#stops", STOPS, "#version", VERSION));
        if (!seen.containsKey(VERSION)) {
            return request.conditionExpression("attribute_not_exists(#version)").build();
        }
        var values = new HashMap<>(Map.of(":stops", stops, ":one", number(1)));
        values.put(":seen", seen.get(VERSION));
        return request.conditionExpression("#version = :seen")
                .expressionAttributeValues(values)
                .build();
    }

    private UpdateItemRequest.Builder update(String expression, Map<String, AttributeValue> own) {
        var values = new HashMap<>(own);
        values.put(":one", number(1));
        return UpdateItemRequest.builder()
                .tableName(reads.table())
                .key(KEY)
                .updateExpression(expression)
                .expressionAttributeValues(values);
    }

    private static Brake brake(Map<String, AttributeValue> item) {
        var stops = item.containsKey(STOPS) ? item.get(STOPS).l() : List.<AttributeValue>of();
        return new Brake(
                Optional.ofNullable(item.get(PAUSED)).map(AttributeValue::s),
                stops.stream()
                        .map(at -> Instant.ofEpochMilli(Long.parseLong(at.n())))
                        .toList());
    }
}
