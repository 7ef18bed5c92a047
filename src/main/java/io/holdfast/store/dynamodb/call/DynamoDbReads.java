package io.holdfast.store.dynamodb.call;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.smallrye.mutiny.Uni;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Strongly consistent reads of one item, or of a page of one partition. */
public record DynamoDbReads(DynamoDbAsyncClient client, DynamoDbCalls calls, String table) {
    /** Up to {@code limit} items of a partition, after {@code after}. */
    public record Section(AttributeValue partition, int limit, Optional<Cursor> after) {}

    /** The item, or an empty map. */
    public Uni<Map<String, AttributeValue>> get(String operation, Map<String, AttributeValue> key) {
        return calls.call(
                        operation,
                        () -> client.getItem(
                                get -> get.tableName(table).key(key).consistentRead(true)))
                .map(Result::unconditional)
                .map(response -> response.hasItem() ? response.item() : Map.of());
    }

    public <T> Uni<Page<T>> page(String operation, Section section, Function<Map<String, AttributeValue>, T> read) {
        var partition = section.partition();
        var request = QueryRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .limit(section.limit())
                .keyConditionExpression("#pk = :pk")
                .expressionAttributeNames(Map.of("#pk", PK))
                .expressionAttributeValues(Map.of(":pk", partition));
        section.after()
                .ifPresent(cursor -> request.exclusiveStartKey(Map.of(PK, partition, SK, text(cursor.position()))));
        return calls.call(operation, () -> client.query(request.build()))
                .map(Result::unconditional)
                .map(response -> new Page<>(
                        response.items().stream().map(read).toList(),
                        response.hasLastEvaluatedKey()
                                ? Optional.of(new Cursor(
                                        response.lastEvaluatedKey().get(SK).s()))
                                : Optional.empty()));
    }
}
