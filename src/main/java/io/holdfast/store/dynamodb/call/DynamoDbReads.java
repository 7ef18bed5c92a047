package io.holdfast.store.dynamodb.call;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.SK;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Reads of one item, or of a page of one partition. They are strongly consistent unless the section says otherwise. */
public record DynamoDbReads(DynamoDbAsyncClient client, DynamoDbCalls calls, String table) {
    /**
     * Up to {@code limit} items of a partition, after {@code after}.
     *
     * @param range if present, only sort keys within it
     * @param descending whether the highest sort key comes first
     * @param consistent whether all earlier writes must be seen, which costs twice as much
     */
    public record Section(
            AttributeValue partition,
            int limit,
            Optional<Cursor> after,
            Optional<Range> range,
            boolean descending,
            boolean consistent) {
        public Section(AttributeValue partition, int limit, Optional<Cursor> after) {
            this(partition, limit, after, Optional.empty(), false, true);
        }

        public Section between(String first, String last) {
            return new Section(partition, limit, after, Optional.of(new Range(first, last)), descending, consistent);
        }

        public Section fromTheEnd() {
            return new Section(partition, limit, after, range, true, consistent);
        }

        public Section eventuallyConsistent() {
            return new Section(partition, limit, after, range, descending, false);
        }

        /** DynamoDB refuses to start at a key outside of the range. */
        private boolean startsOutside() {
            return range.isPresent()
                    && after.filter(cursor -> !range.get().includes(cursor.position()))
                            .isPresent();
        }
    }

    /** Sort keys from {@code first} to {@code last}, both included. */
    public record Range(String first, String last) {
        public boolean includes(String sortKey) {
            return first.compareTo(sortKey) <= 0 && sortKey.compareTo(last) <= 0;
        }
    }

    /** The item, or an empty map. */
    public Uni<Map<String, AttributeValue>> get(String operation, Map<String, AttributeValue> key) {
        return calls.call(
                        operation,
                        () -> client.getItem(
                                get -> get.tableName(table).key(key).consistentRead(true)))
                .map(Result::unconditional)
                .map(response -> response.hasItem() ? response.item() : Map.of());
    }

    /** Empty if the section starts outside of its range. */
    public <T> Uni<Page<T>> page(String operation, Section section, Function<Map<String, AttributeValue>, T> read) {
        if (section.startsOutside()) {
            return Uni.createFrom().item(new Page<>(List.of(), Optional.empty()));
        }
        return calls.call(operation, () -> client.query(query(section)))
                .map(Result::unconditional)
                .map(response -> new Page<>(
                        response.items().stream().map(read).toList(),
                        response.hasLastEvaluatedKey()
                                ? Optional.of(new Cursor(
                                        response.lastEvaluatedKey().get(SK).s()))
                                : Optional.empty()));
    }

    private QueryRequest query(Section section) {
        var partition = section.partition();
        var request = QueryRequest.builder()
                .tableName(table)
                .consistentRead(section.consistent())
                .limit(section.limit())
                .scanIndexForward(!section.descending())
                .keyConditionExpression("#pk = :pk")
                .expressionAttributeNames(Map.of("#pk", PK))
                .expressionAttributeValues(Map.of(":pk", partition));
        section.range().ifPresent(range -> request.keyConditionExpression("#pk = :pk AND #sk BETWEEN :first AND :last")
                .expressionAttributeNames(Map.of("#pk", PK, "#sk", SK))
                .expressionAttributeValues(
                        Map.of(":pk", partition, ":first", text(range.first()), ":last", text(range.last()))));
        section.after()
                .ifPresent(cursor -> request.exclusiveStartKey(Map.of(PK, partition, SK, text(cursor.position()))));
        return request.build();
    }
}
