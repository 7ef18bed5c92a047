package io.holdfast.store.dynamodb;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.AcquireOutcome;
import io.holdfast.lock.AcquireRequest;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.ForceRelease;
import io.holdfast.lock.ForceReleaseOutcome;
import io.holdfast.lock.LeaseRef;
import io.holdfast.lock.LockName;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockRecord;
import io.holdfast.lock.LockRules;
import io.holdfast.lock.LockStore;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.RenewOutcome;
import io.holdfast.lock.WithdrawOutcome;
import io.holdfast.store.dynamodb.DynamoDbCalls.Result;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Locks in a DynamoDB table. Acquire, renew, release and force release are one {@code UpdateItem} each; when its
 * condition fails, DynamoDB returns the item that stood in the way, and the rules tell from it what to answer.
 */
public final class DynamoDbLockStore implements LockStore {
    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final ClockGuard clock;
    private final LockRules rules;
    private final LockWrites writes;
    private final String table;
    private final int sweepParallelMax;
    private final int contradictionsMax;
    private final LockScan scan;

    DynamoDbLockStore(DynamoDbAsyncClient client, DynamoDbCalls calls, ClockGuard clock, Settings settings) {
        this.client = client;
        this.calls = calls;
        this.clock = clock;
        this.rules = settings.rules();
        this.table = settings.table();
        this.writes = new LockWrites(table, rules);
        this.sweepParallelMax = settings.config().sweepParallelMax();
        this.contradictionsMax = settings.config().attemptsMax();
        this.scan = new LockScan(client, calls, table);
    }

    record Settings(String table, LockRules rules, DynamoDbConfig config) {}

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return Uni.createFrom().deferred(() -> {
            if (clock.isBehind() || request.overdueAt(now)) {
                return refuseOrFail(request, now);
            }
            var inForce = clock.clockIsOff() ? rules.withoutTakeovers() : rules;
            var asking = new Asking(request, inForce, now);
            return decide(asking, new Refusal(request.sight().seen(), false), contradictionsMax);
        });
    }

    private record Asking(AcquireRequest request, LockRules rules, Instant now) {}

    /**
     * One write, for what the rules decide on the record as it was seen; none yet is taken for a free lock. The write's
     * condition holds it to what was seen, and when it is refused, what stood in the way is seen instead.
     */
    private Uni<AcquireOutcome> decide(Asking asking, Refusal seen, int triesLeft) {
        var decision = notGranted(seen, asking.request(), asking.rules(), asking.now());
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        if (triesLeft < 0) {
            return Uni.createFrom().failure(contradicted("acquire"));
        }
        return calls.call("acquire", () -> client.updateItem(writeFor(asking, decision, seen.current())))
                .chain(result -> switch (result) {
                    case Result.Done<UpdateItemResponse> done ->
                        done(asking, decision, record(done.response().attributes()), triesLeft);
                    case Result.Refused<UpdateItemResponse> refused ->
                        decide(
                                asking,
                                new Refusal(record(refused.condition().item()), seen.inDoubt() || refused.inDoubt()),
                                triesLeft - 1);
                });
    }

    private UpdateItemRequest writeFor(
            Asking asking, LockRules.Decision<AcquireOutcome> decision, Optional<LockRecord> seen) {
        return switch (decision.outcome()) {
            case AcquireOutcome.Granted granted ->
                writes.acquire(asking.request(), seen, asking.rules().takeovers(), asking.now());
            case AcquireOutcome.InLine inLine ->
                writes.join(
                        asking.request(), seen.orElseThrow(), inLine.record().line(), asking.now());
            case AcquireOutcome.AlreadyYours yours -> writes.claim(yours.lease());
            default -> throw new IllegalStateException("Nothing to write for " + decision.outcome());
        };
    }

    /** Whoever joins the line of a lock that was released meanwhile may be its head: then nobody else would notice. */
    private Uni<AcquireOutcome> done(
            Asking asking, LockRules.Decision<AcquireOutcome> decision, Optional<LockRecord> stored, int triesLeft) {
        return switch (decision.outcome()) {
            case AcquireOutcome.Granted granted ->
                Uni.createFrom().item(granted(asking.request(), stored, asking.now()));
            case AcquireOutcome.InLine inLine -> decide(asking, new Refusal(stored, false), triesLeft - 1);
            default -> Uni.createFrom().item(decision.outcome());
        };
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, Instant deadline, Instant now) {
        return find(request.name())
                .chain(current -> withdraw(new Withdrawal(request, deadline, now), current, contradictionsMax));
    }

    private record Withdrawal(LeaseRef request, Instant deadline, Instant now) {}

    private Uni<WithdrawOutcome> withdraw(Withdrawal withdrawal, Optional<LockRecord> seen, int triesLeft) {
        var ref = withdrawal.request();
        var decision = rules.withdraw(seen, ref, withdrawal.deadline(), withdrawal.now());
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        if (triesLeft < 0) {
            return Uni.createFrom().failure(contradicted("withdraw"));
        }
        var write = decision.outcome() instanceof WithdrawOutcome.GaveBack
                ? writes.giveBack(ref, withdrawal.now())
                : writes.leave(ref, seen.orElseThrow().line().placeOf(ref).orElseThrow(), withdrawal.deadline());
        return calls.call("withdraw", () -> client.updateItem(write)).chain(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done -> Uni.createFrom().item(decision.outcome());
            case Result.Refused<UpdateItemResponse> refused ->
                withdraw(withdrawal, record(refused.condition().item()), triesLeft - 1);
        });
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseRef lease, Optional<Duration> ttl, Instant now) {
        return Uni.createFrom()
                .deferred(() -> clock.isBehind()
                        ? Uni.createFrom().failure(clockIsBehind())
                        : write(new Write<>(
                                "renew",
                                writes.renew(lease, ttl, now),
                                renewed -> renewed(renewed.orElseThrow(), now),
                                refusal -> rules.renew(refusal.current(), lease, ttl, now))));
    }

    private static RenewOutcome renewed(LockRecord record, Instant now) {
        return new RenewOutcome.Renewed(record.lease(), record.waitingAt(now));
    }

    /**
     * A lease granted or prolonged by a clock that is behind ends, for the others, before its holder thinks so. Who
     * holds the lock can be told all the same.
     */
    private Uni<AcquireOutcome> refuseOrFail(AcquireRequest request, Instant now) {
        return find(request.name()).chain(current -> {
            var decision = rules.withoutTakeovers().acquire(current, request, now);
            return decision.write().isPresent()
                    ? Uni.createFrom().failure(clockIsBehind())
                    : Uni.createFrom().item(decision.outcome());
        });
    }

    private StoreUnavailableException clockIsBehind() {
        return new StoreUnavailableException(clock.problem().orElse("The clock of this machine was behind."));
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseRef lease, Instant now) {
        return write(new Write<>(
                "release",
                writes.release(lease, now),
                released -> released(released.orElseThrow()),
                refusal -> notReleased(refusal, lease, now)));
    }

    private static ReleaseOutcome released(LockRecord ended) {
        return new ReleaseOutcome.Released(ended.lease(), ended.line());
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return write(new Write<>(
                "force_release",
                writes.forceRelease(force, now),
                replaced -> new ForceReleaseOutcome.Freed(
                        replaced.orElseThrow().lease(), force.seen().next()),
                refusal -> notForced(refusal, force, now)));
    }

    @Override
    public Uni<Optional<LockRecord>> find(LockName name) {
        return calls.call(
                        "find",
                        () -> client.getItem(get ->
                                get.tableName(table).key(LockItem.key(name)).consistentRead(true)))
                .map(Result::unconditional)
                .map(response -> record(response.item()));
    }

    @Override
    public Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return scan.list(query, now);
    }

    @Override
    public Uni<SweepStep> sweep(Optional<Cursor> from, int limit, Instant now) {
        if (clock.clockIsOff()) {
            return Uni.createFrom().item(new SweepStep(0, Optional.empty()));
        }
        return scan.step(from, limit).chain(page -> Multi.createFrom()
                .items(page.items().stream().filter(record -> rules.expendable(record, now)))
                .onItem()
                .transformToUni(this::purge)
                .merge(sweepParallelMax)
                .filter(purged -> purged)
                .collect()
                .asList()
                .map(purged -> new SweepStep(purged.size(), page.next())));
    }

    private Uni<Boolean> purge(LockRecord seen) {
        var request = writes.purge(seen);
        return calls.call("purge", () -> client.deleteItem(request)).map(result -> result instanceof Result.Done);
    }

    /**
     * One conditional write.
     *
     * @param done what to answer when it went through, from the record it returned, if it returned one
     * @param refused what to answer when its condition failed
     */
    private record Write<O>(
            String operation,
            UpdateItemRequest request,
            Function<Optional<LockRecord>, O> done,
            Function<Refusal, LockRules.Decision<O>> refused) {}

    /**
     * @param current what stood in the way
     * @param inDoubt whether an earlier attempt of the same call may have put it there
     */
    private record Refusal(Optional<LockRecord> current, boolean inDoubt) {}

    private <O> Uni<O> write(Write<O> write) {
        return write(write, contradictionsMax);
    }

    private <O> Uni<O> write(Write<O> write, int contradictionsLeft) {
        return calls.call(write.operation(), () -> client.updateItem(write.request()))
                .chain(result -> switch (result) {
                    case Result.Done<UpdateItemResponse> done ->
                        Uni.createFrom()
                                .item(write.done().apply(record(done.response().attributes())));
                    case Result.Refused<UpdateItemResponse> refused -> {
                        var refusal = new Refusal(record(refused.condition().item()), refused.inDoubt());
                        yield refused(write, write.refused().apply(refusal), contradictionsLeft);
                    }
                });
    }

    /**
     * DynamoDB refused the write, so the rules must refuse it too. If by the record that came back they would have
     * allowed it, that record is not the one that was in the way (a service that only resembles DynamoDB may send none
     * at all): nothing may be concluded from it, least of all success, and the write is tried again.
     */
    private <O> Uni<O> refused(Write<O> write, LockRules.Decision<O> decision, int contradictionsLeft) {
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        return contradictionsLeft > 0
                ? write(write, contradictionsLeft - 1)
                : Uni.createFrom().failure(contradicted(write.operation()));
    }

    private static StoreUnavailableException contradicted(String operation) {
        return new StoreUnavailableException(
                "DynamoDB refused to " + operation + " and did not return the item in the way.");
    }

    /** The write returned what it replaced, so the token it made is known without another read. */
    private static AcquireOutcome granted(AcquireRequest request, Optional<LockRecord> replaced, Instant now) {
        var token = replaced.map(old -> old.token().next()).orElseGet(() -> FencingToken.firstAt(now));
        return new AcquireOutcome.Granted(request.leaseAt(now, token), replaced);
    }

    private static LockRules.Decision<AcquireOutcome> notGranted(
            Refusal refusal, AcquireRequest request, LockRules inForce, Instant now) {
        var decision = inForce.acquire(refusal.current(), request, now);
        if (refusal.inDoubt()
                && decision.outcome() instanceof AcquireOutcome.AlreadyYours yours
                && yours.lease().ref().equals(request.ref())) {
            // An earlier attempt of this very call had succeeded, and only its answer was lost.
            return LockRules.Decision.refuse(new AcquireOutcome.Granted(yours.lease(), Optional.empty()));
        }
        return decision;
    }

    private LockRules.Decision<ReleaseOutcome> notReleased(Refusal refusal, LeaseRef lease, Instant now) {
        var endedByUs = refusal.current()
                .filter(record -> refusal.inDoubt()
                        && record.end().isPresent()
                        && record.lease().ref().equals(lease));
        return endedByUs
                .map(record -> LockRules.Decision.refuse(released(record)))
                .orElseGet(() -> rules.release(refusal.current(), lease, now));
    }

    private LockRules.Decision<ForceReleaseOutcome> notForced(Refusal refusal, ForceRelease force, Instant now) {
        var forcedByUs = refusal.current()
                .filter(record -> refusal.inDoubt()
                        && record.lease().token().equals(force.seen())
                        && record.end().flatMap(LockRecord.End::forcedBecause).equals(Optional.of(force.reason())));
        return forcedByUs
                .map(record -> LockRules.Decision.<ForceReleaseOutcome>refuse(
                        new ForceReleaseOutcome.Freed(record.lease(), record.token())))
                .orElseGet(() -> rules.forceRelease(refusal.current(), force, now));
    }

    private static Optional<LockRecord> record(Map<String, AttributeValue> item) {
        return item == null || item.isEmpty() ? Optional.empty() : Optional.of(LockItem.read(item));
    }
}
