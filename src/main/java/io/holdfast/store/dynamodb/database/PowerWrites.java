package io.holdfast.store.dynamodb.database;

import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;

import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.store.dynamodb.call.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The writes of the power store. Each change that the reconciler must follow up also puts the database on the list of
 * pending ones, in the same transaction.
 */
final class PowerWrites {
    private static final String BUMP =
            ", " + PowerItem.VERSION + " = if_not_exists(" + PowerItem.VERSION + ", :zero) + :one";
    /** DynamoDB limits the length of an expression. The next pass forgets further apps. */
    private static final int FORGOTTEN_MAX = 40;

    private static final String EXISTS = "attribute_exists(PK)";

    private final String table;

    PowerWrites(String table) {
        this.table = table;
    }

    TransactWriteItemsRequest requestStop(DatabaseId id, AppName app, Instant now) {
        return andPending(
                id,
                update(id)
                        .updateExpression(
                                "SET #request = :at" + BUMP + " REMOVE #claim, #earlier_request, #earlier_claim")
                        .conditionExpression(EXISTS)
                        .expressionAttributeNames(intentsOf(app))
                        .expressionAttributeValues(values(Map.of(":at", time(now))))
                        .build());
    }

    TransactWriteItemsRequest claimStart(DatabaseId id, AppName app, Instant until) {
        return andPending(
                id,
                update(id)
                        .updateExpression("SET #claim = :until, " + PowerItem.CLAIM_VERSION + " = if_not_exists("
                                + PowerItem.CLAIM_VERSION + ", :zero) + :one" + BUMP
                                + " REMOVE #request, #earlier_request, #earlier_claim")
                        .conditionExpression(EXISTS)
                        .expressionAttributeNames(intentsOf(app))
                        .expressionAttributeValues(values(Map.of(":until", time(until))))
                        .build());
    }

    /** All names under which the app's intents may be stored. A new intent replaces each of them. */
    private static Map<String, String> intentsOf(AppName app) {
        return Map.of(
                "#request", PowerItem.stopRequest(app),
                "#claim", PowerItem.startClaim(app),
                "#earlier_request", EarlierPowerItem.stopRequest(app),
                "#earlier_claim", EarlierPowerItem.startClaim(app));
    }

    /** Succeeds only if the app's claim ends when it does in {@code seen}. A stop request would have removed it. */
    TransactWriteItemsRequest extendClaim(DatabaseSnapshot seen, AppName app, Instant until) {
        return andPending(
                seen.id(),
                update(seen.id())
                        .updateExpression("SET #claim = :until, " + PowerItem.CLAIM_VERSION + " = if_not_exists("
                                + PowerItem.CLAIM_VERSION + ", :zero) + :one" + BUMP)
                        .conditionExpression("#claim = :seen")
                        .expressionAttributeNames(Map.of("#claim", PowerItem.startClaim(app)))
                        .expressionAttributeValues(values(Map.of(
                                ":until",
                                time(until),
                                ":seen",
                                time(seen.state().intents().startClaims().get(app)))))
                        .build());
    }

    /** Succeeds only if no link has changed, and the intents of these apps are as in {@code seen}. */
    UpdateItemRequest forget(DatabaseSnapshot seen, Set<AppName> apps) {
        var names = new HashMap<String, String>();
        var values = new HashMap<>(Map.of(":edges", number(seen.shared().edgeVersion())));
        var conditions = new ArrayList<>(List.of(RegistryItem.EDGE_VERSION + " = :edges"));
        attributesOf(seen.state().intents(), apps).forEach((attribute, at) -> {
            var number = names.size();
            names.put("#a" + number, attribute);
            at.ifPresent(time -> values.put(":a" + number, time(time)));
            conditions.add(
                    at.map(time -> "#a" + number + " = :a" + number).orElse("attribute_not_exists(#a" + number + ")"));
        });
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(RegistryItem.databaseKey(seen.id()))
                .updateExpression("REMOVE " + String.join(", ", names.keySet()))
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
    }

    /** The attributes of the intents of these apps, with their values in {@code intents}. */
    private static Map<String, Optional<Instant>> attributesOf(PowerState.Intents intents, Set<AppName> apps) {
        var attributes = new HashMap<String, Optional<Instant>>();
        for (var app : apps.stream().limit(FORGOTTEN_MAX).toList()) {
            attributes.put(
                    PowerItem.stopRequest(app),
                    Optional.ofNullable(intents.stopRequests().get(app)));
            attributes.put(
                    PowerItem.startClaim(app),
                    Optional.ofNullable(intents.startClaims().get(app)));
        }
        return attributes;
    }

    /**
     * Succeeds only if links, start claims, epoch and actuator are as in {@code seen}. A snapshot has no attributes
     * under earlier names, so a claim that came under one is refused as well.
     */
    TransactWriteItemsRequest commit(DatabaseSnapshot seen, Phase phase, Instant now) {
        var state = seen.state();
        var values = values(Map.of(
                ":phase", text(phase.name()),
                ":next", number(state.nextEpoch(now)),
                ":now", time(now),
                ":edges", number(seen.shared().edgeVersion()),
                ":actuator", RegistryItem.actuator(seen.database().actuator())));
        var condition = RegistryItem.EDGE_VERSION + " = :edges AND " + RegistryItem.ACTUATOR + " = :actuator"
                + " AND " + same(PowerItem.EPOCH, ":epoch", state.epoch(), values)
                + " AND "
                + same(PowerItem.CLAIM_VERSION, ":claims", state.intents().version(), values)
                + " AND attribute_not_exists(" + EarlierPowerItem.CLAIM_VERSION + ")";
        return andPending(
                seen.id(),
                update(seen.id())
                        .updateExpression("SET " + PowerItem.PHASE + " = :phase, " + PowerItem.EPOCH + " = :next, "
                                + PowerItem.SINCE + " = :now" + BUMP)
                        .conditionExpression(condition)
                        .expressionAttributeValues(values)
                        .build());
    }

    /** Succeeds only while the epoch is the current one. Safe to repeat. */
    TransactWriteItemsRequest settle(DatabaseId id, long epoch, Phase phase, Instant since) {
        var values = values(Map.of(":phase", text(phase.name()), ":since", time(since)));
        var condition = same(PowerItem.EPOCH, ":epoch", epoch, values);
        return andPending(
                id,
                update(id)
                        .updateExpression(
                                "SET " + PowerItem.PHASE + " = :phase, " + PowerItem.SINCE + " = :since" + BUMP)
                        .conditionExpression(EXISTS + " AND " + condition)
                        .expressionAttributeValues(values)
                        .build());
    }

    /** Takes the database off the list of pending ones, unless its power state was written since {@code version}. */
    TransactWriteItemsRequest unmark(DatabaseId id, boolean registered, long version) {
        var values = new HashMap<String, AttributeValue>();
        var unchanged = registered ? same(PowerItem.VERSION, ":version", version, values) : "attribute_not_exists(PK)";
        var check = ConditionCheck.builder()
                .tableName(table)
                .key(RegistryItem.databaseKey(id))
                .conditionExpression(unchanged)
                .expressionAttributeValues(values.isEmpty() ? null : values)
                .build();
        var delete =
                Delete.builder().tableName(table).key(PowerItem.pendingKey(id)).build();
        return transaction(
                TransactWriteItem.builder().conditionCheck(check).build(),
                TransactWriteItem.builder().delete(delete).build());
    }

    /** Moves the entry of a pending database from the earlier list. Safe to repeat. */
    TransactWriteItemsRequest movePending(DatabaseId id) {
        var put = Put.builder().tableName(table).item(PowerItem.pendingKey(id)).build();
        var delete = Delete.builder()
                .tableName(table)
                .key(PowerItem.pendingKey(Partition.EARLIER_PENDING, id))
                .build();
        return transaction(
                TransactWriteItem.builder().put(put).build(),
                TransactWriteItem.builder().delete(delete).build());
    }

    private TransactWriteItemsRequest andPending(DatabaseId id, Update update) {
        var entry =
                Put.builder().tableName(table).item(PowerItem.pendingKey(id)).build();
        return transaction(
                TransactWriteItem.builder().update(update).build(),
                TransactWriteItem.builder().put(entry).build());
    }

    private static TransactWriteItemsRequest transaction(TransactWriteItem first, TransactWriteItem second) {
        return TransactWriteItemsRequest.builder()
                .clientRequestToken(UUID.randomUUID().toString())
                .transactItems(first, second)
                .build();
    }

    private Update.Builder update(DatabaseId id) {
        return Update.builder().tableName(table).key(RegistryItem.databaseKey(id));
    }

    /** The condition that the number has this value. An absent one reads as zero. */
    private static String same(String name, String placeholder, long value, Map<String, AttributeValue> values) {
        if (value == 0) {
            return "attribute_not_exists(" + name + ")";
        }
        values.put(placeholder, number(value));
        return name + " = " + placeholder;
    }

    private static Map<String, AttributeValue> values(Map<String, AttributeValue> own) {
        var values = new HashMap<>(own);
        values.put(":zero", number(0));
        values.put(":one", number(1));
        return values;
    }
}
