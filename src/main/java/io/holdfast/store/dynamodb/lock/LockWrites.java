package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.WaitQueue;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.Renewal;
import io.holdfast.store.dynamodb.call.Attributes;
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

    private static final Map<String, String> NAMES = Map.of("#status", "status", "#ttl", "ttl");

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
        var purge = purgeTime(expiresAt, seen);
        values.put(":purge_at", number(purge.second()));
        values.put(":token_bound", number(purge.tokenBound()));
        values.put(":attempt", text(request.attempt().value()));
        values.put(":metadata", Attributes.map(request.labels().metadata()));
        values.put(":first_token", number(FencingToken.epochMicros(now)));
        values.put(":zero", number(0));
        values.put(":one", number(1));
        var update = new Update("lock_id = :lock_id, owner_id = :owner, #status = :active, lock_type = :type,"
                        + " created_at = :now, renewed_at = :now, expires_at = :expires_at, ttl_ms = :ttl_ms,"
                        + " ttl_seconds = :ttl_seconds, #ttl = :purge_at, renewals = :zero, metadata = :metadata,"
                        + " attempt = :attempt, granted_to = :attempt,"
                        + " fencing_token = if_not_exists(fencing_token, :first_token) + :one")
                .remove("released_at, closed_until, release_reason")
                .remove(LockItem.UNCLAIMED)
                .setOrRemove("user_email", request.labels().userEmail().map(Attributes::text), values)
                .setOrRemove("renew_until", request.terms().maxHold().map(max -> time(now.plus(max))), values);
        databaseOf(request.name()).ifPresent(database -> {
            update.set("db_identifier = :database");
            values.put(":database", text(database));
        });
        var turn = QueueWrites.turn(request, seen.map(LockRecord::queue).orElse(WaitQueue.EMPTY), values);
        turn.removed().forEach(update::remove);
        if (turn.last()) {
            update.set("presence = :nobody");
            values.put(":nobody", AttributeValue.fromM(Map.of()));
        }
        var condition = acquirable(request, values, takeovers, now) + " AND (" + turn.condition()
                + ") AND (attribute_not_exists(fencing_token) OR fencing_token < :token_bound)";
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
                + " OR (#status = :releasing AND closed_until <= :now)");
        if (takeovers) {
            condition.append(" OR (#status = :active AND owner_id = :owner AND expires_at <= :now)");
            values.put(":abandoned_before", time(now.minus(rules.maxClockSkew())));
            condition.append(" OR (#status = :active AND expires_at < :abandoned_before)");
            request.observation().unchangedForTtl().ifPresent(lease -> {
                values.put(":old_token", number(lease.token().value()));
                values.put(":old_renewals", number(lease.term().renewals()));
                values.put(":old_expiry", time(lease.expiresAt()));
                condition.append(" OR (#status = :active AND owner_id <> :owner AND fencing_token = :old_token"
                        + " AND renewals = :old_renewals AND expires_at = :old_expiry)");
            });
        }
        return condition.append(")").toString();
    }

    /** @param seen the record, if this is not the first try */
    UpdateItemRequest renew(
            LeaseClaim claim, Renewal renewal, Optional<LockRecord> seen, boolean takeovers, Instant now) {
        var values = mine(claim, now);
        values.put(":one", number(1));
        var from = renewal.ttl().map(now::plus).orElse(now);
        var purge = purgeTime(from, seen);
        values.put(":purge_at", number(purge.second()));
        values.put(":token_bound", number(purge.tokenBound()));
        renewal.ttl().ifPresent(duration -> {
            values.put(":expires_at", time(from));
            values.put(":ttl_ms", number(duration.toMillis()));
            values.put(":ttl_seconds", number(ceilSeconds(duration)));
        });
        var term = renewal.ttl().isPresent()
                ? "expires_at = :expires_at, ttl_ms = :ttl_ms, ttl_seconds = :ttl_seconds, #ttl = :purge_at"
                : "expires_at = ttl_ms + :now, #ttl = ttl_seconds + :purge_at";
        var update = new Update("renewals = renewals + :one, renewed_at = :now, " + term).remove(LockItem.UNCLAIMED);
        renewal.attempt().ifPresent(attempt -> {
            update.set("attempt = :moved_to");
            values.put(":moved_to", text(attempt.value()));
        });
        var renewable = condition(claim) + (takeovers ? " AND expires_at > :now" : "") + " AND renewed_at <= :now"
                + " AND fencing_token < :token_bound";
        return update(claim.name(), update.text(), renewable, values)
                .returnValues(ReturnValue.ALL_NEW)
                .build();
    }

    /**
     * Moves a lease to another attempt, or confirms it, without prolonging it.
     *
     * @param seen the record before
     * @param wanted as the rules want it: the attempts and how often it was renewed may differ
     */
    UpdateItemRequest confirm(LockRecord seen, LockRecord wanted) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":active", text(LockItem.ACTIVE));
        values.put(":token", number(seen.lease().token().value()));
        values.put(":seen", number(seen.lease().term().renewals()));
        values.put(":renewals", number(wanted.lease().term().renewals()));
        values.put(":attempt", text(wanted.attempts().current().value()));
        values.put(":seen_attempt", text(seen.attempts().current().value()));
        values.put(":granted_to", text(wanted.attempts().grantedTo().value()));
        values.put(":seen_granted_to", text(seen.attempts().grantedTo().value()));
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(seen.name()))
                .updateExpression("SET renewals = :renewals, attempt = :attempt, granted_to = :granted_to REMOVE "
                        + LockItem.UNCLAIMED)
                .conditionExpression("#status = :active AND fencing_token = :token AND renewals = :seen AND "
                        + isStill(LockItem.ATTEMPT, seen.attempts().current()) + " AND "
                        + isStill(LockItem.GRANTED_TO, seen.attempts().grantedTo()))
                .expressionAttributeNames(Map.of("#status", "status"))
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    /** The version before wrote no attempts. */
    private static String isStill(String attribute, AttemptId seen) {
        var same = attribute + " = :seen_" + attribute;
        return seen.equals(AttemptId.NONE) ? "(attribute_not_exists(" + attribute + ") OR " + same + ")" : same;
    }

    /** @param seen the record, if this is not the first try */
    UpdateItemRequest release(LeaseClaim claim, Optional<LockRecord> seen, Instant now) {
        var values = mine(claim, now);
        if (claim.attempt().isEmpty()) {
            return release(claim.name(), condition(claim), values, seen, now);
        }
        values.put(":several", text(AttemptId.SEVERAL.value()));
        return release(claim.name(), condition(claim) + " AND granted_to <> :several", values, seen, now);
    }

    /** Releases what was granted to an attempt, if no other attempt knows of it. */
    UpdateItemRequest releaseIfUnchanged(LeaseRef ref, AttemptId attempt, Optional<LockRecord> seen, Instant now) {
        var claim = new LeaseClaim(ref, Optional.empty(), Optional.of(attempt));
        return release(ref.name(), condition(claim) + " AND granted_to = :attempt", mine(claim, now), seen, now);
    }

    private UpdateItemRequest release(
            LockName name,
            String condition,
            Map<String, AttributeValue> values,
            Optional<LockRecord> seen,
            Instant now) {
        var purge = purgeTime(now, seen);
        values.put(":released", text(LockItem.RELEASED));
        values.put(":purge_at", number(purge.second()));
        values.put(":token_bound", number(purge.tokenBound()));
        var set = "SET #status = :released, released_at = :now, #ttl = :purge_at";
        return update(name, set, condition + " AND fencing_token < :token_bound", values)
                .returnValues(ReturnValue.ALL_NEW)
                .build();
    }

    /** @param seen the record, if this is not the first try */
    UpdateItemRequest forceRelease(ForceRelease force, Optional<LockRecord> seen, Instant now) {
        var freeAt = now.plus(force.lockDelay());
        var delayed = freeAt.isAfter(now);
        var values = values(now);
        values.put(":ended", text(delayed ? LockItem.RELEASING : LockItem.RELEASED));
        values.put(":reason", text(force.reason()));
        values.put(":seen", number(force.seen().value()));
        values.put(":one", number(1));
        var purge = purgeTime(freeAt, seen);
        values.put(":purge_at", number(purge.second()));
        values.put(":token_bound", number(purge.tokenBound()));
        var set = "SET #status = :ended, released_at = :now, release_reason = :reason,"
                + " fencing_token = fencing_token + :one, #ttl = :purge_at";
        if (delayed) {
            set += ", closed_until = :closed_until";
            values.put(":closed_until", time(freeAt));
        }
        var condition = "#status = :active AND fencing_token = :seen AND fencing_token < :token_bound";
        return update(force.name(), set, condition, values)
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
                        + QueueWrites.asSeen(seen.queue(), values) + ")")
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
                .expressionAttributeNames(NAMES)
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    private static Map<String, AttributeValue> values(Instant now) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":now", time(now));
        values.put(":active", text(LockItem.ACTIVE));
        return values;
    }

    private static Map<String, AttributeValue> mine(LeaseClaim claim, Instant now) {
        var values = values(now);
        values.put(":lock_id", text(claim.ref().id().value()));
        values.put(":owner", text(claim.ref().owner().value()));
        claim.token().ifPresent(token -> values.put(":token", number(token.value())));
        claim.attempt().ifPresent(attempt -> values.put(":attempt", text(attempt.value())));
        return values;
    }

    /** That the lease is there as it is claimed; its values are those of {@link #mine}. */
    private static String condition(LeaseClaim claim) {
        return MINE
                + (claim.token().isPresent() ? " AND fencing_token = :token" : "")
                + (claim.attempt().isPresent() ? " AND attempt = :attempt" : "");
    }

    /**
     * When DynamoDB may delete the item. Not before the retention is over, rounded up to a second, and not before the time
     * has passed the item's token: see {@link LockRules#purgeableAt}.
     *
     * @param tokenBound the token must lie below it for that; one that does not was granted by a clock far ahead, and the
     *     write is refused and made anew for the token that was seen
     */
    private record PurgeTime(long second, long tokenBound) {}

    private PurgeTime purgeTime(Instant idleSince, Optional<LockRecord> seen) {
        var retained = idleSince.plus(rules.tombstoneRetention());
        var passed = seen.map(record ->
                        record.token().passedAt().plus(rules.maxClockSkew()).plusSeconds(1))
                .filter(retained::isBefore)
                .orElse(retained);
        var second = passed.getEpochSecond() + 1;
        // The write itself may raise the token by one.
        var bound = FencingToken.epochMicros(Instant.ofEpochSecond(second).minus(rules.maxClockSkew())) - 1;
        return new PurgeTime(second, bound);
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
