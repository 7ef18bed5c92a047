package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.lock.DynamoDbGrants.contradicted;
import static io.holdfast.store.dynamodb.lock.DynamoDbGrants.recordIn;

import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Ends leases: release and force release. Each is one conditional write. An attempt whose
 * answer was lost may have been carried out. The item that the next attempt returns shows whether it was.
 */
final class DynamoDbReleases {
    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final LeaseWrites writes;
    private final LockRules rules;
    private final int contradictionsMax;

    DynamoDbReleases(
            DynamoDbAsyncClient client,
            DynamoDbCalls calls,
            LeaseWrites writes,
            LockRules rules,
            int contradictionsMax) {
        this.client = client;
        this.calls = calls;
        this.writes = writes;
        this.rules = rules;
        this.contradictionsMax = contradictionsMax;
    }

    /**
     * @param rulesThen the rules for the clock at the request; called after an answer, which may show that it was off
     */
    Uni<ReleaseOutcome> release(LeaseClaim claim, Supplier<LockRules> rulesThen, Instant now) {
        return write(new Write<>(
                "release",
                seen -> writes.release(claim, seen, now),
                released -> released(released.orElseThrow()),
                refusal -> endedByUs(refusal, claim, now)
                        .orElseGet(() -> rulesThen.get().release(refusal.current(), claim, now))));
    }

    private static ReleaseOutcome released(LockRecord ended) {
        return new ReleaseOutcome.Released(ended.lease(), ended.queue());
    }

    Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return write(new Write<>(
                "force_release",
                seen -> writes.forceRelease(force, seen, now),
                replaced -> new ForceReleaseOutcome.Freed(
                        replaced.map(LockRecord::lease), force.seen().next()),
                refusal -> notForced(refusal, force, now)));
    }

    /**
     * One conditional write.
     *
     * @param request the write for the record that was read; there is none before the first try
     * @param done the answer if the write succeeded, from the record that it returned
     * @param refused the answer if its condition was refused
     */
    private record Write<O>(
            String operation,
            Function<Optional<LockRecord>, UpdateItemRequest> request,
            Function<Optional<LockRecord>, O> done,
            Function<Refusal, LockRules.Decision<O>> refused) {}

    /**
     * @param current the record that DynamoDB returned
     * @param inDoubt whether an earlier attempt of the same call may have written it
     */
    private record Refusal(Optional<LockRecord> current, boolean inDoubt) {}

    private <O> Uni<O> write(Write<O> write) {
        return write(write, new Refusal(Optional.empty(), false), contradictionsMax);
    }

    /** @param last the refusal of the try before */
    private <O> Uni<O> write(Write<O> write, Refusal last, int triesLeft) {
        var request = write.request().apply(last.current());
        return calls.call(write.operation(), () -> client.updateItem(request)).chain(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done ->
                Uni.createFrom().item(write.done().apply(recordIn(done)));
            case Result.Refused<UpdateItemResponse> refused -> {
                var refusal = new Refusal(recordIn(refused), last.inDoubt() || refused.inDoubt());
                yield refused(write, refusal, triesLeft);
            }
        });
    }

    /**
     * If the rules allow the write on the returned record, it is repeated for that record, a few times.
     *
     * @see DynamoDbGrants#contradicted
     */
    private <O> Uni<O> refused(Write<O> write, Refusal refusal, int triesLeft) {
        var decision = write.refused().apply(refusal);
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        return triesLeft > 0
                ? write(write, refusal, triesLeft - 1)
                : Uni.createFrom().failure(contradicted(write.operation()));
    }

    /**
     * An earlier attempt of this call may have been carried out although its answer was lost. This is certain if the
     * lease has ended. If the lock was granted again after the request, the lease of the caller had ended by then. That
     * counts as a release as well, because the caller no longer needed it.
     */
    private Optional<LockRules.Decision<ReleaseOutcome>> endedByUs(Refusal refusal, LeaseClaim claim, Instant now) {
        if (!refusal.inDoubt() || refusal.current().isEmpty()) {
            return Optional.empty();
        }
        var record = refusal.current().get();
        if (record.end().isPresent() && isClaimed(record.lease(), claim)) {
            return Optional.of(LockRules.Decision.refuse(released(record)));
        }
        return isLaterThan(claim, record.lease(), now)
                ? Optional.of(LockRules.Decision.refuse(new ReleaseOutcome.ReleasedBefore()))
                : Optional.empty();
    }

    /** Whether this is the lease to release. A lease of the same lock_id with another token is not. */
    private static boolean isClaimed(Lease lease, LeaseClaim claim) {
        return claim.names(lease);
    }

    /** Whether this is another lease, which was granted after the request to release. */
    private boolean isLaterThan(LeaseClaim claim, Lease lease, Instant asked) {
        return !isClaimed(lease, claim) && !lease.term().acquiredAt().isBefore(asked.minus(rules.maxClockSkew()));
    }

    /** @see #endedByUs */
    private LockRules.Decision<ForceReleaseOutcome> notForced(Refusal refusal, ForceRelease force, Instant now) {
        if (refusal.inDoubt() && refusal.current().isPresent()) {
            var record = refusal.current().get();
            if (record.lease().token().equals(force.seen())
                    && force.allows(record.lease())
                    && record.end().flatMap(LockRecord.End::forcedBecause).equals(Optional.of(force.reason()))) {
                return LockRules.Decision.refuse(
                        new ForceReleaseOutcome.Freed(Optional.of(record.lease()), record.token()));
            }
            // The force release raises the token by one, and the next grant by another one.
            var grantedAgain = record.lease().token().value() > force.seen().value() + 1;
            if (grantedAgain && !record.lease().term().acquiredAt().isBefore(now.minus(rules.maxClockSkew()))) {
                return LockRules.Decision.refuse(new ForceReleaseOutcome.Freed(
                        Optional.empty(), force.seen().next()));
            }
        }
        return rules.forceRelease(refusal.current(), force, now);
    }
}
