package io.holdfast.store.dynamodb;

import static io.holdfast.store.dynamodb.LockItem.number;
import static io.holdfast.store.dynamodb.LockItem.text;
import static io.holdfast.store.dynamodb.LockItem.time;

import io.holdfast.lock.AcquireRequest;
import io.holdfast.lock.Asker;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.ForceRelease;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LeaseRef;
import io.holdfast.lock.Line;
import io.holdfast.lock.LockName;
import io.holdfast.lock.LockRecord;
import io.holdfast.lock.LockRules;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The {@link LockRules} as conditions of single writes. */
final class LockWrites {
    private static final String MINE = "#status = :active AND lock_id = :lock_id AND owner_id = :owner";

    private final String table;
    private final LockRules rules;

    LockWrites(String table, LockRules rules) {
        this.table = table;
        this.rules = rules;
    }

    /**
     * Grants the lock. On a record that was not seen, or seen without a line, the condition is that nobody waits.
     *
     * @param seen what the rules have granted it on
     */
    UpdateItemRequest acquire(AcquireRequest request, Optional<LockRecord> seen, boolean takeovers, Instant now) {
        var expiresAt = now.plus(request.ttl());
        var values = values(now);
        values.put(":lock_id", text(request.id().value()));
        values.put(":owner", text(request.owner().value()));
        values.put(":type", text(request.labels().type().text()));
        values.put(":expires_at", time(expiresAt));
        values.put(":ttl_ms", number(request.ttl().toMillis()));
        values.put(":ttl_seconds", number(ceilSeconds(request.ttl())));
        values.put(":purge_at", purgeAt(expiresAt));
        values.put(":metadata", LockItem.map(request.labels().metadata()));
        values.put(":first_token", number(FencingToken.epochMicros(now)));
        values.put(":zero", number(0));
        values.put(":one", number(1));
        var update = new Update("lock_id = :lock_id, owner_id = :owner, #status = :active, lock_type = :type,"
                        + " created_at = :now, renewed_at = :now, expires_at = :expires_at, ttl_ms = :ttl_ms,"
                        + " ttl_seconds = :ttl_seconds, #ttl = :purge_at, renewals = :zero, metadata = :metadata,"
                        + " fencing_token = if_not_exists(fencing_token, :first_token) + :one")
                .remove("released_at, closed_until, release_reason")
                .setOrRemove("user_email", request.labels().userEmail().map(LockItem::text), values)
                .setOrRemove("renew_until", request.terms().maxHold().map(max -> time(now.plus(max))), values)
                .setOrRemove(
                        LockItem.UNCLAIMED,
                        request.visit().map(visit -> text(visit.asker().value())),
                        values);
        databaseOf(request.name()).ifPresent(database -> {
            update.set("db_identifier = :database");
            values.put(":database", text(database));
        });
        var turn = LineWrites.turn(request, seen.map(LockRecord::line).orElse(Line.EMPTY), values);
        turn.removed().forEach(update::remove);
        var condition = acquirable(request, values, takeovers, now) + " AND (" + turn.condition() + ")";
        return update(request.name(), update.text(), condition, values)
                .returnValues(ReturnValue.ALL_OLD)
                .build();
    }

    /** Free, or expired by the clock and the owner's own, or outlasted: see {@link LockRules#acquire}. */
    private String acquirable(
            AcquireRequest request, Map<String, AttributeValue> values, boolean takeovers, Instant now) {
        values.put(":released", text(LockItem.RELEASED));
        values.put(":releasing", text(LockItem.RELEASING));
        values.put(":now_at_most", time(now.plus(rules.maxClockSkew())));
        values.put(":late_at_most", time(now.plus(LockRules.LATE_MAX)));
        var condition = new StringBuilder("(attribute_not_exists(PK)"
                + " OR (#status = :released AND (released_at <= :now_at_most OR released_at > :late_at_most))"
                + " OR (#status = :releasing AND closed_until <= :now)"
                + " OR (#status = :active AND owner_id = :owner AND expires_at <= :now)");
        if (takeovers) {
            values.put(":abandoned_before", time(now.minus(rules.maxClockSkew())));
            condition.append(" OR (#status = :active AND expires_at < :abandoned_before)");
            request.sight().outlasted().ifPresent(lease -> {
                values.put(":old_token", number(lease.token().value()));
                values.put(":old_renewals", number(lease.term().renewals()));
                values.put(":old_expiry", time(lease.expiresAt()));
                condition.append(" OR (#status = :active AND owner_id <> :owner AND fencing_token = :old_token"
                        + " AND renewals = :old_renewals AND expires_at = :old_expiry)");
            });
        }
        return condition.append(")").toString();
    }

    UpdateItemRequest renew(LeaseRef lease, Optional<Duration> ttl, Instant now) {
        var values = mine(lease, now);
        values.put(":one", number(1));
        ttl.ifPresentOrElse(
                duration -> {
                    values.put(":expires_at", time(now.plus(duration)));
                    values.put(":ttl_ms", number(duration.toMillis()));
                    values.put(":ttl_seconds", number(ceilSeconds(duration)));
                    values.put(":purge_at", purgeAt(now.plus(duration)));
                },
                () -> values.put(":purge_from", purgeAt(now)));
        var term = ttl.isPresent()
                ? "expires_at = :expires_at, ttl_ms = :ttl_ms, ttl_seconds = :ttl_seconds, #ttl = :purge_at"
                : "expires_at = ttl_ms + :now, #ttl = ttl_seconds + :purge_from";
        var renewable = MINE + " AND expires_at > :now AND renewed_at <= :now";
        var update = "SET renewals = renewals + :one, renewed_at = :now, " + term + " REMOVE unclaimed";
        return update(lease.name(), update, renewable, values)
                .returnValues(ReturnValue.ALL_NEW)
                .build();
    }

    /**
     * Confirms a lease without prolonging it.
     *
     * @param confirmed as the rules want it: as it is, but for how often it was renewed
     */
    UpdateItemRequest confirm(Lease seen, Lease confirmed) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":active", text(LockItem.ACTIVE));
        values.put(":token", number(seen.token().value()));
        values.put(":seen", number(seen.term().renewals()));
        values.put(":renewals", number(confirmed.term().renewals()));
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(seen.name()))
                .updateExpression("SET renewals = :renewals REMOVE unclaimed")
                .conditionExpression("#status = :active AND fencing_token = :token AND renewals = :seen")
                .expressionAttributeNames(Map.of("#status", "status"))
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    UpdateItemRequest release(LeaseRef lease, Instant now) {
        return release(lease, MINE, mine(lease, now), now);
    }

    /** Gives back what nobody has heard of. */
    UpdateItemRequest giveBack(LeaseRef lease, Asker asker, Instant now) {
        var values = mine(lease, now);
        values.put(":asker", text(asker.value()));
        return release(lease, MINE + " AND unclaimed = :asker", values, now);
    }

    /** Gives back what nobody has touched since it was seen. */
    UpdateItemRequest giveBack(Lease seen, Instant now) {
        var values = mine(seen.ref(), now);
        values.put(":token", number(seen.token().value()));
        values.put(":renewals", number(seen.term().renewals()));
        values.put(":expires_at", time(seen.expiresAt()));
        return release(
                seen.ref(),
                MINE + " AND fencing_token = :token AND renewals = :renewals AND expires_at = :expires_at",
                values,
                now);
    }

    private UpdateItemRequest release(
            LeaseRef lease, String condition, Map<String, AttributeValue> values, Instant now) {
        values.put(":released", text(LockItem.RELEASED));
        values.put(":purge_at", purgeAt(now));
        var set = "SET #status = :released, released_at = :now, #ttl = :purge_at REMOVE unclaimed";
        return update(lease.name(), set, condition, values)
                .returnValues(ReturnValue.ALL_NEW)
                .build();
    }

    UpdateItemRequest forceRelease(ForceRelease force, Instant now) {
        var freeAt = now.plus(force.lockDelay());
        var delayed = freeAt.isAfter(now);
        var values = values(now);
        values.put(":ended", text(delayed ? LockItem.RELEASING : LockItem.RELEASED));
        values.put(":reason", text(force.reason()));
        values.put(":seen", number(force.seen().value()));
        values.put(":one", number(1));
        values.put(":purge_at", purgeAt(freeAt));
        var set = "SET #status = :ended, released_at = :now, release_reason = :reason,"
                + " fencing_token = fencing_token + :one, #ttl = :purge_at";
        if (delayed) {
            set += ", closed_until = :closed_until";
            values.put(":closed_until", time(freeAt));
        }
        return update(force.name(), set + " REMOVE unclaimed", "#status = :active AND fencing_token = :seen", values)
                .returnValues(ReturnValue.ALL_OLD)
                .build();
    }

    /** Deletes the record if it is still the one that was seen: same holder, same term, same end. */
    DeleteItemRequest purge(LockRecord seen) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":token", number(seen.token().value()));
        values.put(":expires_at", time(seen.lease().expiresAt()));
        var sameEnd = seen.end()
                .map(end -> {
                    values.put(":released_at", time(end.at()));
                    return "released_at = :released_at";
                })
                .orElse("attribute_not_exists(released_at)");
        return DeleteItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(seen.name()))
                .conditionExpression("fencing_token = :token AND expires_at = :expires_at AND " + sameEnd + " AND ("
                        + LineWrites.asSeen(seen.line(), values) + ")")
                .expressionAttributeValues(values)
                .build();
    }

    private UpdateItemRequest.Builder update(
            LockName name, String update, String condition, Map<String, AttributeValue> values) {
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(name))
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(Map.of("#status", "status", "#ttl", "ttl"))
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    private static Map<String, AttributeValue> values(Instant now) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":now", time(now));
        values.put(":active", text(LockItem.ACTIVE));
        return values;
    }

    private static Map<String, AttributeValue> mine(LeaseRef lease, Instant now) {
        var values = values(now);
        values.put(":lock_id", text(lease.id().value()));
        values.put(":owner", text(lease.owner().value()));
        return values;
    }

    /** DynamoDB may delete the item from this second on; rounded up, so never before the retention has passed. */
    private AttributeValue purgeAt(Instant idleSince) {
        return number(idleSince.plus(rules.tombstoneRetention()).getEpochSecond() + 1);
    }

    private static long ceilSeconds(Duration duration) {
        return duration.plusMillis(999).toSeconds();
    }

    private static Optional<String> databaseOf(LockName name) {
        return name.value().startsWith(LockItem.DATABASE_PREFIX)
                ? Optional.of(name.value().substring(LockItem.DATABASE_PREFIX.length()))
                : Optional.empty();
    }

    /** An update expression that grows. */
    private static final class Update {
        private final StringBuilder set;
        private final StringBuilder remove = new StringBuilder();

        Update(String set) {
            this.set = new StringBuilder("SET ").append(set);
        }

        Update set(String clause) {
            set.append(", ").append(clause);
            return this;
        }

        Update remove(String paths) {
            remove.append(remove.isEmpty() ? " REMOVE " : ", ").append(paths);
            return this;
        }

        Update setOrRemove(String attribute, Optional<AttributeValue> value, Map<String, AttributeValue> values) {
            if (value.isEmpty()) {
                return remove(attribute);
            }
            values.put(":" + attribute, value.get());
            return set(attribute + " = :" + attribute);
        }

        String text() {
            return set.toString() + remove;
        }
    }
}
