package io.holdfast.store.dynamodb.lock;

import io.holdfast.lock.model.LockName;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The SET and REMOVE clauses of an update of a lock's item. */
final class UpdateExpression {
    private static final Map<String, String> NAMES = Map.of("#status", "status", "#ttl", "ttl");

    private final StringBuilder set;
    private final StringBuilder remove = new StringBuilder();

    UpdateExpression(String set) {
        this.set = new StringBuilder("SET ").append(set);
    }

    UpdateExpression set(String clause) {
        set.append(", ").append(clause);
        return this;
    }

    UpdateExpression remove(String paths) {
        remove.append(remove.isEmpty() ? " REMOVE " : ", ").append(paths);
        return this;
    }

    UpdateExpression setOrRemove(String attribute, Optional<AttributeValue> value, Map<String, AttributeValue> values) {
        if (value.isEmpty()) {
            return remove(attribute);
        }
        values.put(":" + attribute, value.get());
        return set(attribute + " = :" + attribute);
    }

    /** The conditional write. If its condition is refused, DynamoDB returns the item. */
    UpdateItemRequest.Builder of(String table, LockName name, String condition, Map<String, AttributeValue> values) {
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(name))
                .updateExpression(set.toString() + remove)
                .conditionExpression(condition)
                .expressionAttributeNames(NAMES)
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }
}
