package io.holdfast.store.dynamodb;

import io.holdfast.store.dynamodb.call.Attributes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * A DynamoDB table on a map, in the caller's thread: what the lock store asks of one. {@code FakeTableTest} compares it
 * with DynamoDB Local.
 */
public final class FakeTable {
    private final Map<String, Map<String, AttributeValue>> items = new TreeMap<>();
    private final Supplier<Instant> clock;

    /** @param clock DynamoDB's own, shown in the {@code Date} of each answer */
    public FakeTable(Supplier<Instant> clock) {
        this.clock = clock;
    }

    /** @throws ConditionalCheckFailedException if the condition of the request is not met */
    public DynamoDbResponse carryOut(DynamoDbRequest request) {
        var response =
                switch (request) {
                    case UpdateItemRequest update -> update(update);
                    case DeleteItemRequest delete -> delete(delete);
                    case GetItemRequest get -> get(get);
                    case ScanRequest scan -> scan(scan);
                    default -> throw new UnsupportedOperationException(request.toString());
                };
        return (DynamoDbResponse)
                response.toBuilder().sdkHttpResponse(http(200)).build();
    }

    /** Deletes the items whose time to live is over, as DynamoDB does some day. */
    public List<Map<String, AttributeValue>> deleteExpired() {
        var now = clock.get().getEpochSecond();
        var expired = items.values().stream()
                .filter(item -> item.containsKey("ttl")
                        && Long.parseLong(item.get("ttl").n()) < now)
                .map(item -> Map.of(Attributes.PK, item.get(Attributes.PK), Attributes.SK, item.get(Attributes.SK)))
                .toList();
        expired.forEach(key -> items.remove(key(key)));
        return expired;
    }

    private DynamoDbResponse update(UpdateItemRequest request) {
        var before = items.getOrDefault(key(request.key()), Map.of());
        var names = request.expressionAttributeNames();
        var values = request.expressionAttributeValues();
        var update = new FakeExpression(request.updateExpression(), names, values);
        Set<String> used = new HashSet<>();
        if (request.conditionExpression() != null) {
            var condition = new FakeExpression(request.conditionExpression(), names, values);
            if (!FakeCondition.holds(condition, before)) {
                throw refused(before, request.returnValuesOnConditionCheckFailure());
            }
            used.addAll(condition.used());
        }
        var start = new HashMap<>(before);
        start.putAll(request.key());
        var after = FakeUpdate.apply(update, start);
        used.addAll(update.used());
        checkAllUsed(used, names, values);
        items.put(key(request.key()), after);
        var returned = request.returnValues() == ReturnValue.ALL_NEW ? after : before;
        return UpdateItemResponse.builder()
                .attributes(request.returnValues() == null ? null : returned)
                .build();
    }

    private DynamoDbResponse delete(DeleteItemRequest request) {
        var before = items.getOrDefault(key(request.key()), Map.of());
        if (request.conditionExpression() != null) {
            var condition = new FakeExpression(
                    request.conditionExpression(),
                    request.expressionAttributeNames(),
                    request.expressionAttributeValues());
            if (!FakeCondition.holds(condition, before)) {
                throw refused(before, request.returnValuesOnConditionCheckFailure());
            }
            checkAllUsed(condition.used(), request.expressionAttributeNames(), request.expressionAttributeValues());
        }
        items.remove(key(request.key()));
        return DeleteItemResponse.builder().build();
    }

    private DynamoDbResponse get(GetItemRequest request) {
        return GetItemResponse.builder().item(items.get(key(request.key()))).build();
    }

    /** All of it in one step; no history has more locks than that. */
    private DynamoDbResponse scan(ScanRequest request) {
        if (request.hasExclusiveStartKey() || items.size() >= request.limit()) {
            throw new UnsupportedOperationException("a scan in steps");
        }
        return ScanResponse.builder().items(new ArrayList<>(items.values())).build();
    }

    private static void checkAllUsed(Set<String> used, Map<String, String> names, Map<String, AttributeValue> values) {
        if (!used.containsAll(names.keySet()) || !used.containsAll(values.keySet())) {
            throw new IllegalArgumentException("The request has a name or a value that no expression uses");
        }
    }

    private ConditionalCheckFailedException refused(
            Map<String, AttributeValue> item, ReturnValuesOnConditionCheckFailure wanted) {
        var returned = wanted == ReturnValuesOnConditionCheckFailure.ALL_OLD ? item : null;
        var details = AwsErrorDetails.builder()
                .errorCode("ConditionalCheckFailedException")
                .errorMessage("The conditional request failed")
                .sdkHttpResponse(http(400))
                .build();
        return ConditionalCheckFailedException.builder()
                .item(returned)
                .awsErrorDetails(details)
                .statusCode(400)
                .build();
    }

    private SdkHttpResponse http(int status) {
        var date = DateTimeFormatter.RFC_1123_DATE_TIME.format(clock.get().atOffset(ZoneOffset.UTC));
        return SdkHttpResponse.builder()
                .statusCode(status)
                .putHeader("Date", date)
                .build();
    }

    private static String key(Map<String, AttributeValue> key) {
        return key.get(Attributes.PK).s() + "\n" + key.get(Attributes.SK).s();
    }
}
