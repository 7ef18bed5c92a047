package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.number;
import static io.holdfast.store.dynamodb.call.Attributes.text;
import static io.holdfast.store.dynamodb.call.Attributes.time;

import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.Renewal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Conditional writes on a lease and its record: renew, confirm, release, force release, purge. */
final class LeaseWrites {
    private static final String ACTIVE_AS_CLAIMED = "#status = :active AND lock_id = :lock_id AND ";

    private final String table;
    private final LockRules rules;

    LeaseWrites(String table, LockRules rules) {
        this.table = table;
        this.rules = rules;
    }

    /** @param seen the record that the try before returned */
    UpdateItemRequest renew(
            LeaseClaim claim, Renewal renewal, Optional<LockRecord> seen, boolean takeovers, Instant now) {
        var values = valuesOf(claim, now);
        values.put(":one", number(1));
        var from = renewal.ttl().map(now::plus).orElse(now);
        PurgeTime.of(from, seen, rules).putInto(values);
        renewal.ttl().ifPresent(duration -> {
            values.put(":expires_at", time(from));
            values.put(":ttl_ms", number(duration.toMillis()));
            values.put(":ttl_seconds", number(LockItem.ceilSeconds(duration)));
        });
        var term = renewal.ttl().isPresent()
                ? "expires_at = :expires_at, ttl_ms = :ttl_ms, ttl_seconds = :ttl_seconds, #ttl = :purge_at"
                : "expires_at = ttl_ms + :now, #ttl = ttl_seconds + :purge_at";
        var update = new UpdateExpression("renewals = renewals + :one, renewed_at = :now, " + term)
                .remove(LockItem.UNCLAIMED);
        claim.ref().owner().subject().ifPresent(subject -> update.set("subject = if_not_exists(subject, :subject)"));
        renewal.attempt().ifPresent(attempt -> {
            update.set("attempt = :moved_to");
            values.put(":moved_to", text(attempt.value()));
        });
        var renewable = condition(claim) + (takeovers ? " AND expires_at > :now" : "") + " AND renewed_at <= :now"
                + " AND " + PurgeTime.TOKEN_IS_BELOW;
        return update.of(table, claim.name(), renewable, values)
                .returnValues(ReturnValue.ALL_NEW)
                .build();
    }

    /**
     * Moves a lease to another attempt or subject, or confirms it, without prolonging it.
     *
     * @param seen the record as it was read
     * @param wanted the record as decided; only the attempts, the number of renewals and a missing subject may
     *     differ
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
        var update = "SET renewals = :renewals, attempt = :attempt, granted_to = :granted_to";
        var condition = "#status = :active AND fencing_token = :token AND renewals = :seen AND "
                + isStill(LockItem.ATTEMPT, seen.attempts().current()) + " AND "
                + isStill(LockItem.GRANTED_TO, seen.attempts().grantedTo());
        if (!wanted.lease().owner().equals(seen.lease().owner())) {
            OwnerCondition.putInto(values, wanted.lease().owner());
            update += ", subject = :subject";
            condition += " AND attribute_not_exists(subject) AND "
                    + OwnerCondition.ofLease(seen.lease().owner());
        }
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(LockItem.key(seen.name()))
                .updateExpression(update + " REMOVE " + LockItem.UNCLAIMED)
                .conditionExpression(condition)
                .expressionAttributeNames(Map.of("#status", "status"))
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    /** Items of earlier versions have no attempts. */
    private static String isStill(String attribute, AttemptId seen) {
        var same = attribute + " = :seen_" + attribute;
        return seen.equals(AttemptId.NONE) ? "(attribute_not_exists(" + attribute + ") OR " + same + ")" : same;
    }

    /** @param seen the record that the try before returned */
    UpdateItemRequest release(LeaseClaim claim, Optional<LockRecord> seen, Instant now) {
        var values = valuesOf(claim, now);
        if (claim.attempt().isEmpty()) {
            return release(claim.name(), condition(claim), values, seen, now);
        }
        values.put(":several", text(AttemptId.SEVERAL.value()));
        return release(claim.name(), condition(claim) + " AND granted_to <> :several", values, seen, now);
    }

    /** Releases a lease that was granted to this attempt, if no other attempt has received it. */
    UpdateItemRequest releaseIfUnchanged(LeaseRef ref, AttemptId attempt, Optional<LockRecord> seen, Instant now) {
        var claim = new LeaseClaim(ref, Optional.empty(), Optional.of(attempt));
        return release(ref.name(), condition(claim) + " AND granted_to = :attempt", valuesOf(claim, now), seen, now);
    }

    private UpdateItemRequest release(
            LockName name,
            String condition,
            Map<String, AttributeValue> values,
            Optional<LockRecord> seen,
            Instant now) {
        values.put(":released", text(LockItem.RELEASED));
        PurgeTime.of(now, seen, rules).putInto(values);
        return new UpdateExpression("#status = :released, released_at = :now, #ttl = :purge_at")
                .of(table, name, condition + " AND " + PurgeTime.TOKEN_IS_BELOW, values)
                .returnValues(ReturnValue.ALL_NEW)
                .build();
    }

    /** @param seen the record that the try before returned */
    UpdateItemRequest forceRelease(ForceRelease force, Optional<LockRecord> seen, Instant now) {
        var freeAt = now.plus(force.lockDelay());
        var delayed = freeAt.isAfter(now);
        var values = values(now);
        values.put(":ended", text(delayed ? LockItem.RELEASING : LockItem.RELEASED));
        values.put(":reason", text(force.reason()));
        values.put(":seen", number(force.seen().value()));
        values.put(":one", number(1));
        PurgeTime.of(freeAt, seen, rules).putInto(values);
        var update = new UpdateExpression("#status = :ended, released_at = :now, release_reason = :reason,"
                + " fencing_token = fencing_token + :one, #ttl = :purge_at");
        if (delayed) {
            update.set("closed_until = :closed_until");
            values.put(":closed_until", time(freeAt));
        }
        force.onlyOf().ifPresent(subject -> values.put(":only_of", text(subject.value())));
        var condition = "#status = :active AND fencing_token = :seen AND " + PurgeTime.TOKEN_IS_BELOW
                + (force.onlyOf().isPresent() ? " AND subject = :only_of" : "");
        return update.of(table, force.name(), condition, values)
                .returnValues(ReturnValue.ALL_OLD)
                .build();
    }

    /** Deletes the record if token, expiry, end and queue are as they were read. */
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
                        + QueueTurn.asSeen(seen.queue(), values) + ")")
                .expressionAttributeValues(values)
                .build();
    }

    private static Map<String, AttributeValue> values(Instant now) {
        var values = new HashMap<String, AttributeValue>();
        values.put(":now", time(now));
        values.put(":active", text(LockItem.ACTIVE));
        return values;
    }

    private static Map<String, AttributeValue> valuesOf(LeaseClaim claim, Instant now) {
        var values = values(now);
        values.put(":lock_id", text(claim.ref().id().value()));
        OwnerCondition.putInto(values, claim.ref().owner());
        claim.token().ifPresent(token -> values.put(":token", number(token.value())));
        claim.attempt().ifPresent(attempt -> values.put(":attempt", text(attempt.value())));
        return values;
    }

    /** The condition that the lease is active as claimed, with the values of {@link #valuesOf}. */
    private static String condition(LeaseClaim claim) {
        return ACTIVE_AS_CLAIMED
                + OwnerCondition.ofLease(claim.ref().owner())
                + (claim.token().isPresent() ? " AND fencing_token = :token" : "")
                + (claim.attempt().isPresent() ? " AND attempt = :attempt" : "");
    }
}
