package io.holdfast.store.dynamodb.service;

import static io.holdfast.store.dynamodb.call.Attributes.PK;
import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.port.StatusChange;
import io.holdfast.store.codec.ServiceJson;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The requests that write services. A commit has four items: service, row of the history, end and entry of the feed. */
record ServiceWrites(String table) {
    static final int SERVICE = 0;
    static final int ROW = 1;
    static final int END = 2;
    static final int ENTRY = 3;

    private static final String IS_NEW = "attribute_not_exists(#PK)";
    private static final Map<String, String> KEY_NAME = Map.of("#PK", PK);

    /**
     * One commit, in all its tries.
     *
     * @param id tells its row of the history from one that another commit has written
     */
    record Commit(StatusChange change, Instant until, String id) {
        static Commit of(StatusChange change, Instant until) {
            return new Commit(change, until, UUID.randomUUID().toString());
        }

        Move move() {
            return change.move();
        }
    }

    TransactWriteItemsRequest commit(Commit commit, int shard, FeedEnd end) {
        var row = ServiceItem.of(ServiceItem.rowKey(commit.move()), commit.move(), commit.until());
        row.put(ServiceItem.COMMIT_ID, text(commit.id()));
        var entry = ServiceItem.of(ServiceItem.entryKey(shard, end.next()), commit.move(), commit.until());
        return TransactWriteItemsRequest.builder()
                .transactItems(service(commit.change()), putNew(row), end(shard, end), putNew(entry))
                .clientRequestToken(UUID.randomUUID().toString())
                .build();
    }

    private TransactWriteItem service(StatusChange change) {
        if (change.before().isEmpty()) {
            return putNew(ServiceItem.of(change.after().orElseThrow()));
        }
        var seen = change.before().get();
        return change.after().map(after -> move(seen, after)).orElseGet(() -> TransactWriteItem.builder()
                .delete(Delete.builder()
                        .tableName(table)
                        .key(ServiceItem.key(seen.id()))
                        .conditionExpression("#version = :seen")
                        .expressionAttributeNames(Map.of("#version", ServiceItem.VERSION))
                        .expressionAttributeValues(Map.of(":seen", number(seen.version())))
                        .build())
                .build());
    }

    /** Leaves the spec alone. */
    private TransactWriteItem move(Service seen, Service after) {
        return TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(table)
                        .key(ServiceItem.key(after.id()))
                        .updateExpression("SET #body = :body, #version = :version")
                        .conditionExpression("#version = :seen")
                        .expressionAttributeNames(Map.of("#body", ServiceItem.BODY, "#version", ServiceItem.VERSION))
                        .expressionAttributeValues(Map.of(
                                ":body", text(ServiceJson.writeState(after)),
                                ":version", number(after.version()),
                                ":seen", number(seen.version())))
                        .build())
                .build();
    }

    /** If it is refused, the reason contains the item. */
    private TransactWriteItem end(int shard, FeedEnd end) {
        var names = new HashMap<>(Map.of("#number", ServiceItem.NUMBER));
        var values = new HashMap<String, AttributeValue>(Map.of(":next", number(end.next())));
        if (end.stored() == 0) {
            names.putAll(KEY_NAME);
        } else {
            values.put(":seen", number(end.stored()));
        }
        return TransactWriteItem.builder()
                .update(Update.builder()
                        .tableName(table)
                        .key(ServiceItem.endKey(shard))
                        .updateExpression("SET #number = :next")
                        .conditionExpression(end.stored() == 0 ? IS_NEW : "#number = :seen")
                        .expressionAttributeNames(names)
                        .expressionAttributeValues(values)
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                        .build())
                .build();
    }

    private TransactWriteItem putNew(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(Put.builder()
                        .tableName(table)
                        .item(item)
                        .conditionExpression(IS_NEW)
                        .expressionAttributeNames(KEY_NAME)
                        .build())
                .build();
    }

    UpdateItemRequest replaceSpec(ServiceId id, ServiceSpec spec) {
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(ServiceItem.key(id))
                .updateExpression("SET #spec = :spec")
                .conditionExpression("attribute_exists(#PK)")
                .expressionAttributeNames(Map.of("#PK", PK, "#spec", ServiceItem.SPEC))
                .expressionAttributeValues(Map.of(":spec", text(ServiceJson.write(spec))))
                .returnValues(ReturnValue.ALL_NEW)
                .build();
    }
}
