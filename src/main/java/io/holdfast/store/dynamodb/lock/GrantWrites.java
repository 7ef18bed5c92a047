package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.store.dynamodb.call.Attributes;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The conditional write that grants a lock: {@link LockRules#acquire} as an expression. */
final class GrantWrites {
    private final String table;
    private final LockRules rules;

    GrantWrites(String table, LockRules rules) {
        this.table = table;
        this.rules = rules;
    }

    /**
     * Grants the lock. Without a record, or with an empty queue, the condition includes that the queue is empty.
     *
     * @param seen the record on which the rules granted the lock
     */
    UpdateItemRequest acquire(AcquireRequest request, Optional<LockRecord> seen, boolean takeovers, Instant now) {
        var expiresAt = now.plus(request.ttl());
        var values = new HashMap<String, AttributeValue>();
        values.put(":now", time(now));
        values.put(":active", text(LockItem.ACTIVE));
        values.put(":lock_id", text(request.id().value()));
        OwnerCondition.putInto(values, request.owner());
        values.put(":type", text(request.labels().type().text()));
        values.put(":expires_at", time(expiresAt));
        values.put(":ttl_ms", number(request.ttl().toMillis()));
        values.put(":ttl_seconds", number(LockItem.ceilSeconds(request.ttl())));
        PurgeTime.of(expiresAt, seen, rules).putInto(values);
        values.put(":attempt", text(request.attempt().value()));
        values.put(":metadata", Attributes.map(request.labels().metadata()));
        values.put(":first_token", number(FencingToken.epochMicros(now)));
        values.put(":zero", number(0));
        values.put(":one", number(1));
        var update = new UpdateExpression("lock_id = :lock_id, owner_id = :owner, #status = :active, lock_type = :type,"
                        + " created_at = :now, renewed_at = :now, expires_at = :expires_at, ttl_ms = :ttl_ms,"
                        + " ttl_seconds = :ttl_seconds, #ttl = :purge_at, renewals = :zero, metadata = :metadata,"
                        + " attempt = :attempt, granted_to = :attempt,"
                        + " fencing_token = if_not_exists(fencing_token, :first_token) + :one")
                .remove("released_at, closed_until, release_reason")
                .remove(LockItem.UNCLAIMED)
                .setOrRemove(
                        OwnerCondition.SUBJECT, request.owner().subject().map(subject -> text(subject.value())), values)
                .setOrRemove("user_email", request.labels().userEmail().map(Attributes::text), values)
                .setOrRemove("renew_until", request.terms().maxHold().map(max -> time(now.plus(max))), values);
        databaseOf(request.name()).ifPresent(database -> {
            update.set("db_identifier = :database");
            values.put(":database", text(database));
        });
        var turn = QueueTurn.of(request, seen.map(LockRecord::queue).orElse(WaitQueue.EMPTY), values);
        turn.removed().forEach(update::remove);
        if (turn.last()) {
            update.set("presence = :no_presence");
            values.put(":no_presence", AttributeValue.fromM(Map.of()));
        }
        var condition = acquirable(request, values, takeovers, now) + " AND (" + turn.condition()
                + ") AND (attribute_not_exists(fencing_token) OR " + PurgeTime.TOKEN_IS_BELOW + ")";
        return update.of(table, request.name(), condition, values)
                .returnValues(ReturnValue.ALL_OLD)
                .build();
    }

    /** The condition that the lock is free, or its lease has expired or was unchanged for its TTL. */
    private String acquirable(
            AcquireRequest request, Map<String, AttributeValue> values, boolean takeovers, Instant now) {
        values.put(":released", text(LockItem.RELEASED));
        values.put(":releasing", text(LockItem.RELEASING));
        values.put(":now_at_most", time(now.plus(rules.maxClockSkew())));
        values.put(":late_at_most", time(now.plus(LockRules.LATE_MAX)));
        var condition = new StringBuilder("(attribute_not_exists(PK)"
                + " OR (#status = :released AND (released_at <= :now_at_most OR released_at > :late_at_most))"
                + " OR (#status = :releasing AND closed_until <= :now)");
        if (takeovers) {
            var isOwners = OwnerCondition.ofLease(request.owner());
            condition.append(" OR (#status = :active AND " + isOwners + " AND expires_at <= :now)");
            values.put(":abandoned_before", time(now.minus(rules.maxClockSkew())));
            condition.append(" OR (#status = :active AND expires_at < :abandoned_before)");
            request.observation().unchangedForTtl().ifPresent(lease -> {
                values.put(":old_token", number(lease.token().value()));
                values.put(":old_renewals", number(lease.term().renewals()));
                values.put(":old_expiry", time(lease.expiresAt()));
                condition.append(" OR (#status = :active AND NOT (" + isOwners + ") AND fencing_token = :old_token"
                        + " AND renewals = :old_renewals AND expires_at = :old_expiry)");
            });
        }
        return condition.append(")").toString();
    }

    private static Optional<String> databaseOf(LockName name) {
        return name.value().startsWith(LockItem.DATABASE_PREFIX)
                ? Optional.of(name.value().substring(LockItem.DATABASE_PREFIX.length()))
                : Optional.empty();
    }
}
