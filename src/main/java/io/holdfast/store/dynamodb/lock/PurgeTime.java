package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.call.Attributes.number;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.LockRules;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * When DynamoDB may delete the item: after the retention, rounded up to a second, and after the clock has passed the
 * item's token. See {@link LockRules#purgeableAt}.
 *
 * @param tokenBound the write is refused unless the item's token is below it. A token above it was granted by a clock
 *     far ahead; the write is then repeated for the token that was seen
 */
record PurgeTime(long second, long tokenBound) {
    /** The condition on the token, for the values of {@link #putInto}. */
    static final String TOKEN_IS_BELOW = "fencing_token < :token_bound";

    static PurgeTime of(Instant idleSince, Optional<LockRecord> seen, LockRules rules) {
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

    void putInto(Map<String, AttributeValue> values) {
        values.put(":purge_at", number(second));
        values.put(":token_bound", number(tokenBound));
    }
}
