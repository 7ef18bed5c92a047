package io.holdfast.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Refuses what the policy of {@code aws/role.yaml} does not allow, as IAM would: DynamoDB Local asks nobody. Creating a
 * table is left to whoever creates it.
 */
public final class TablePermissions implements ExecutionInterceptor {
    static final List<String> LEADING_KEYS = leadingKeys();

    private static final Set<String> ACTIONS = Template.ROLE.actions("TablePolicy");

    private record Access(String action, Map<String, AttributeValue> key) {}

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        for (var access : accesses(context.request())) {
            var key = access.key().get("PK").s();
            if (!ACTIONS.contains(access.action()) || LEADING_KEYS.stream().noneMatch(allowed -> fits(allowed, key))) {
                throw new AssertionError("the role does not allow " + access.action() + " of " + key);
            }
        }
    }

    private static boolean fits(String pattern, String key) {
        return pattern.endsWith("*") ? key.startsWith(pattern.substring(0, pattern.length() - 1)) : key.equals(pattern);
    }

    private static List<Access> accesses(SdkRequest request) {
        return switch (request) {
            case GetItemRequest get -> List.of(new Access("dynamodb:GetItem", get.key()));
            case BatchGetItemRequest batch ->
                batch.requestItems().values().stream()
                        .flatMap(table -> table.keys().stream())
                        .map(key -> new Access("dynamodb:BatchGetItem", key))
                        .toList();
            case PutItemRequest put -> List.of(new Access("dynamodb:PutItem", put.item()));
            case UpdateItemRequest update -> List.of(new Access("dynamodb:UpdateItem", update.key()));
            case DeleteItemRequest delete -> List.of(new Access("dynamodb:DeleteItem", delete.key()));
            case QueryRequest query ->
                List.of(new Access(
                        "dynamodb:Query",
                        Map.of("PK", query.expressionAttributeValues().get(":pk"))));
            case TransactWriteItemsRequest transaction ->
                transaction.transactItems().stream()
                        .flatMap(TablePermissions::parts)
                        .toList();
            default -> List.of();
        };
    }

    private static Stream<Access> parts(TransactWriteItem item) {
        var parts = new ArrayList<Access>();
        if (item.put() != null) {
            parts.add(new Access("dynamodb:PutItem", item.put().item()));
        }
        if (item.update() != null) {
            parts.add(new Access("dynamodb:UpdateItem", item.update().key()));
        }
        if (item.delete() != null) {
            parts.add(new Access("dynamodb:DeleteItem", item.delete().key()));
        }
        if (item.conditionCheck() != null) {
            parts.add(new Access(
                    "dynamodb:ConditionCheckItem", item.conditionCheck().key()));
        }
        return parts.stream();
    }

    private static List<String> leadingKeys() {
        var condition = Template.ROLE.statements("TablePolicy").getFirst().condition();
        var keys = (Map<?, ?>) condition.orElseThrow().get("ForAllValues:StringLike");
        return ((List<?>) keys.get("dynamodb:LeadingKeys"))
                .stream().map(String::valueOf).toList();
    }
}
