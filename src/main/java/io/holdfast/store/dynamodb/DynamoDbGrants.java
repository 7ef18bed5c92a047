package io.holdfast.store.dynamodb;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.AcquireOutcome;
import io.holdfast.lock.AcquireRequest;
import io.holdfast.lock.Asker;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LeaseRef;
import io.holdfast.lock.LockRecord;
import io.holdfast.lock.LockRules;
import io.holdfast.lock.WithdrawOutcome;
import io.holdfast.store.dynamodb.DynamoDbCalls.Result;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Grants locks and keeps their lines. Each step is one write for what the rules decide on the record as it was seen,
 * under a condition that holds it to that; when it is refused, what stood in the way is seen instead.
 */
final class DynamoDbGrants {
    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final LockWrites writes;
    private final LineWrites line;
    private final int triesMax;

    DynamoDbGrants(DynamoDbAsyncClient client, DynamoDbCalls calls, LockWrites writes, LineWrites line, int triesMax) {
        this.client = client;
        this.calls = calls;
        this.writes = writes;
        this.line = line;
        this.triesMax = triesMax;
    }

    private record Asking(AcquireRequest request, LockRules rules, Instant now) {}

    /**
     * @param current the record; none yet is taken for a free lock
     * @param inDoubt whether an earlier attempt of the same call may have put it there
     */
    private record Seen(Optional<LockRecord> current, boolean inDoubt) {}

    /** Nothing seen so far is the common case: then it is one write, if the lock is free. */
    Uni<AcquireOutcome> acquire(AcquireRequest request, LockRules rules, Instant now) {
        return decide(new Asking(request, rules, now), new Seen(request.sight().seen(), false), triesMax);
    }

    private Uni<AcquireOutcome> decide(Asking asking, Seen seen, int triesLeft) {
        var decision = asking.rules().acquire(seen.current(), asking.request(), asking.now());
        if (seen.inDoubt()
                && decision.write().isEmpty()
                && decision.outcome() instanceof AcquireOutcome.AlreadyYours yours
                && yours.lease().ref().equals(asking.request().ref())) {
            // An earlier attempt of this very call had succeeded, and only its answer was lost.
            return Uni.createFrom().item(new AcquireOutcome.Granted(yours.lease(), Optional.empty()));
        }
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        if (decision.outcome() instanceof AcquireOutcome.InLine
                && !asking.rules().takeovers()) {
            return Uni.createFrom()
                    .failure(new StoreUnavailableException(
                            "The clock of this machine is off, and nobody could tell how long a caller waits here."));
        }
        if (triesLeft < 0) {
            return Uni.createFrom().failure(contradicted("acquire"));
        }
        return calls.call("acquire", () -> client.updateItem(writeFor(asking, decision, seen.current())))
                .chain(result -> switch (result) {
                    case Result.Done<UpdateItemResponse> done -> done(asking, decision, recordIn(done), triesLeft);
                    case Result.Refused<UpdateItemResponse> refused ->
                        decide(asking, new Seen(recordIn(refused), seen.inDoubt() || refused.inDoubt()), triesLeft - 1);
                });
    }

    private UpdateItemRequest writeFor(
            Asking asking, LockRules.Decision<AcquireOutcome> decision, Optional<LockRecord> seen) {
        return switch (decision.outcome()) {
            case AcquireOutcome.Granted granted ->
                writes.acquire(asking.request(), seen, asking.rules().takeovers(), asking.now());
            case AcquireOutcome.InLine inLine ->
                line.join(asking.request(), seen.orElseThrow(), inLine.record().line(), asking.now());
            case AcquireOutcome.AlreadyYours yours ->
                writes.confirm(seen.orElseThrow().lease(), yours.lease());
            default -> throw new IllegalStateException("Nothing to write for " + decision.outcome());
        };
    }

    /** Whoever joins the line of a lock that was released meanwhile may be its head: then nobody else would notice. */
    private Uni<AcquireOutcome> done(
            Asking asking, LockRules.Decision<AcquireOutcome> decision, Optional<LockRecord> stored, int triesLeft) {
        return switch (decision.outcome()) {
            case AcquireOutcome.Granted granted ->
                Uni.createFrom().item(granted(asking.request(), stored, asking.now()));
            case AcquireOutcome.InLine inLine -> decide(asking, new Seen(stored, false), triesLeft - 1);
            default -> Uni.createFrom().item(decision.outcome());
        };
    }

    /** The write returned what it replaced, so the token it made is known without another read. */
    private static AcquireOutcome granted(AcquireRequest request, Optional<LockRecord> replaced, Instant now) {
        var token = replaced.map(old -> old.token().next()).orElseGet(() -> FencingToken.firstAt(now));
        return new AcquireOutcome.Granted(request.leaseAt(now, token), replaced);
    }

    private record Withdrawal(LeaseRef ref, Asker asker, LockRules rules, Instant now) {}

    /** @param seen the record as it was a moment ago */
    Uni<WithdrawOutcome> withdraw(LeaseRef ref, Asker asker, Optional<LockRecord> seen, LockRules rules, Instant now) {
        // When many leave at once, each one that goes moves the others: so many may be refused in good faith.
        var moves = seen.map(record -> record.line().size()).orElse(0);
        return withdraw(new Withdrawal(ref, asker, rules, now), seen, triesMax + moves);
    }

    private Uni<WithdrawOutcome> withdraw(Withdrawal withdrawal, Optional<LockRecord> seen, int triesLeft) {
        var decision = withdrawal.rules().withdraw(seen, withdrawal.ref(), withdrawal.asker(), withdrawal.now());
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        if (triesLeft < 0) {
            return Uni.createFrom().failure(contradicted("withdraw"));
        }
        var write = decision.outcome() instanceof WithdrawOutcome.GaveBack
                ? writes.giveBack(withdrawal.ref(), withdrawal.asker(), withdrawal.now())
                : line.leave(withdrawal.ref(), placeOf(withdrawal, seen), withdrawal.asker());
        return calls.call("withdraw", () -> client.updateItem(write)).chain(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done -> Uni.createFrom().item(decision.outcome());
            case Result.Refused<UpdateItemResponse> refused -> withdraw(withdrawal, recordIn(refused), triesLeft - 1);
        });
    }

    private static int placeOf(Withdrawal withdrawal, Optional<LockRecord> seen) {
        return seen.orElseThrow()
                .line()
                .placeOf(withdrawal.ref(), withdrawal.asker())
                .orElseThrow();
    }

    static Optional<LockRecord> recordIn(Result.Done<UpdateItemResponse> done) {
        return LockItem.readAny(done.response().attributes());
    }

    static Optional<LockRecord> recordIn(Result.Refused<UpdateItemResponse> refused) {
        return LockItem.readAny(refused.condition().item());
    }

    /**
     * DynamoDB refused a write, and by the record that came back the rules would have allowed it, again and again. That
     * record is not the one that was in the way (a service that only resembles DynamoDB may send none at all): nothing
     * may be concluded from it, least of all success.
     */
    static StoreUnavailableException contradicted(String operation) {
        return new StoreUnavailableException(
                "DynamoDB refused to " + operation + " and did not return the item in the way.");
    }
}
