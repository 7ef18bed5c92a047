package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.number;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.Renewal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A lock that changes in one transaction with other items. The caller has read the record and applied
 * {@link LockRules}. The writes have the conditions of a lock that changes alone, and one more: that the record is the
 * one on which the rules decided. The time of a write is that of the decision.
 */
public final class LockInTransaction {
    /** The token changes with every grant and force release, and {@code renewals} with every renewal. */
    private static final String UNCHANGED = "fencing_token = :seen_token AND renewals = :seen_renewals";

    private final String table;
    private final GrantWrites grants;
    private final LeaseWrites leases;

    public LockInTransaction(String table, LockRules rules) {
        this.table = table;
        this.grants = new GrantWrites(table, rules);
        this.leases = new LeaseWrites(table, rules);
    }

    public static Map<String, AttributeValue> key(LockName name) {
        return LockItem.key(name);
    }

    /** @param item may be null or empty */
    public static Optional<LockRecord> read(Map<String, AttributeValue> item) {
        return LockItem.readAny(item);
    }

    /**
     * Other items contain the token of the new lease, so it must be the one that the rules decided.
     *
     * @param seen the record on which the rules decided
     * @param granted the record as decided
     * @param takeovers whether the clock of this machine may tell that a lease has expired
     */
    public Update grant(AcquireRequest request, Optional<LockRecord> seen, LockRecord granted, boolean takeovers) {
        var at = granted.lease().term().acquiredAt();
        var token = seen.map(record -> record.token().next()).orElseGet(() -> FencingToken.firstAt(at));
        if (!granted.lease().equals(request.leaseAt(at, token))) {
            throw new IllegalArgumentException(
                    "The write would grant " + request.name() + " with the token " + token + ", not as decided.");
        }
        var write = grants.acquire(request, seen, takeovers, at);
        return seen.map(record -> ifUnchanged(write, record))
                .orElseGet(() -> update(write, "attribute_not_exists(PK)", Map.of()));
    }

    /**
     * If another renewal with a later time came first, this one only confirms the lease.
     *
     * @param seen the record on which the rules decided
     * @param renewed the record as decided
     */
    public Update renew(LeaseClaim claim, LockRecord seen, LockRecord renewed, boolean takeovers) {
        var before = seen.lease().term();
        var after = renewed.lease().term();
        var isConfirmed =
                after.expiresAt().equals(before.expiresAt()) && after.ttl().equals(before.ttl());
        return ifUnchanged(
                isConfirmed
                        ? leases.confirm(seen, renewed)
                        : leases.renew(
                                claim,
                                Renewal.by(Optional.of(after.ttl())),
                                Optional.of(seen),
                                takeovers,
                                after.grantedAt()),
                seen);
    }

    /**
     * @param seen the record on which the rules decided
     * @param released the record as decided
     */
    public Update release(LeaseClaim claim, LockRecord seen, LockRecord released) {
        var at = released.end().orElseThrow().at();
        return ifUnchanged(leases.release(claim, Optional.of(seen), at), seen);
    }

    /** Only checks that the lock is as it was seen: held or ended, with the same token and renewals. */
    public ConditionCheck check(LockName name, Optional<LockRecord> seen) {
        var check = ConditionCheck.builder().tableName(table).key(LockItem.key(name));
        if (seen.isEmpty()) {
            return check.conditionExpression("attribute_not_exists(PK)").build();
        }
        var ended = seen.get().end().isPresent() ? "attribute_exists" : "attribute_not_exists";
        return check.conditionExpression(UNCHANGED + " AND " + ended + "(released_at)")
                .expressionAttributeValues(valuesOf(seen.get()))
                .build();
    }

    private static Update ifUnchanged(UpdateItemRequest write, LockRecord seen) {
        return update(write, UNCHANGED, valuesOf(seen));
    }

    private static Map<String, AttributeValue> valuesOf(LockRecord seen) {
        return Map.of(
                ":seen_token", number(seen.token().value()),
                ":seen_renewals", number(seen.lease().term().renewals()));
    }

    private static Update update(UpdateItemRequest write, String condition, Map<String, AttributeValue> values) {
        var all = new HashMap<>(write.expressionAttributeValues());
        all.putAll(values);
        return Update.builder()
                .tableName(write.tableName())
                .key(write.key())
                .updateExpression(write.updateExpression())
                .conditionExpression("(" + write.conditionExpression() + ") AND " + condition)
                .expressionAttributeNames(write.expressionAttributeNames())
                .expressionAttributeValues(all)
                .build();
    }
}
