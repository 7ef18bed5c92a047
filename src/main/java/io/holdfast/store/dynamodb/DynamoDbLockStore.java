package io.holdfast.store.dynamodb;

import static io.holdfast.store.dynamodb.DynamoDbGrants.contradicted;
import static io.holdfast.store.dynamodb.DynamoDbGrants.recordIn;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.AcquireOutcome;
import io.holdfast.lock.AcquireRequest;
import io.holdfast.lock.Asker;
import io.holdfast.lock.Census;
import io.holdfast.lock.ForceRelease;
import io.holdfast.lock.ForceReleaseOutcome;
import io.holdfast.lock.Lease;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
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
    private final DynamoDbGrants grants;
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
        this.grants =
                new DynamoDbGrants(client, calls, writes, new LineWrites(table, rules.waitersMax()), contradictionsMax);
        this.scan = new LockScan(client, calls, table);
    }

    record Settings(String table, LockRules rules, DynamoDbConfig config) {}

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return Uni.createFrom().deferred(() -> {
            if (clock.isBehind() || request.overdueAt(now)) {
                return refuseOrFail(request, now);
            }
            return grants.acquire(request, clock.clockIsOff() ? rules.withoutTakeovers() : rules, now);
        });
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, Asker asker, Instant now) {
        return find(request.name()).chain(seen -> grants.withdraw(request, asker, seen, rules, now));
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseRef lease, Optional<Duration> ttl, Instant now) {
        return Uni.createFrom()
                .deferred(() -> clock.isBehind()
                        ? Uni.createFrom().failure(clockIsBehind())
                        : renew(new Renewal(lease, ttl, now), contradictionsMax));
    }

    private record Renewal(LeaseRef lease, Optional<Duration> ttl, Instant now) {}

    private Uni<RenewOutcome> renew(Renewal renewal, int triesLeft) {
        var write = writes.renew(renewal.lease(), renewal.ttl(), renewal.now());
        return calls.call("renew", () -> client.updateItem(write)).chain(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done ->
                Uni.createFrom().item(renewed(recordIn(done).orElseThrow(), renewal.now()));
            case Result.Refused<UpdateItemResponse> refused -> notRenewed(renewal, recordIn(refused), triesLeft);
        });
    }

    /** What came later than this renewal ends when it would have, and is confirmed. */
    private Uni<RenewOutcome> notRenewed(Renewal renewal, Optional<LockRecord> seen, int triesLeft) {
        var decision = rules.renew(seen, renewal.lease(), renewal.ttl(), renewal.now());
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        if (triesLeft < 1) {
            return Uni.createFrom().failure(contradicted("renew"));
        }
        var before = seen.orElseThrow().lease();
        var wanted = decision.write().get().lease();
        if (!wanted.expiresAt().equals(before.expiresAt())) {
            return renew(renewal, triesLeft - 1);
        }
        return calls.call("renew", () -> client.updateItem(writes.confirm(before, wanted)))
                .chain(result -> switch (result) {
                    case Result.Done<UpdateItemResponse> done ->
                        Uni.createFrom().item(decision.outcome());
                    case Result.Refused<UpdateItemResponse> refused -> renew(renewal, triesLeft - 1);
                });
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

    @Override
    public Uni<ReleaseOutcome> giveBack(Lease seen, Instant now) {
        return write(new Write<>(
                "give_back",
                writes.giveBack(seen, now),
                released -> released(released.orElseThrow()),
                refusal ->
                        endedByUs(refusal, seen.ref()).orElseGet(() -> rules.giveBack(refusal.current(), seen, now))));
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
                .map(response -> LockItem.readAny(response.item()));
    }

    @Override
    public Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return scan.list(query, now);
    }

    @Override
    public Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now) {
        if (clock.clockIsOff()) {
            return Uni.createFrom().item(new SweepStep(0, Optional.empty(), Optional.empty()));
        }
        return scan.step(from, bounds.limit()).chain(page -> Multi.createFrom()
                .items(page.items().stream().filter(record -> rules.expendable(record, now)))
                .onItem()
                .transformToUni(this::purge)
                .merge(sweepParallelMax)
                .filter(purged -> purged)
                .collect()
                .asList()
                .map(purged ->
                        new SweepStep(purged.size(), Optional.of(census(page.items(), bounds, now)), page.next())));
    }

    private Census census(List<LockRecord> seen, SweepBounds bounds, Instant now) {
        return seen.stream()
                .filter(record -> !rules.expendable(record, now))
                .map(record -> Census.of(record, bounds.staleAfter(), now))
                .reduce(Census.NONE, Census::plus);
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
                        Uni.createFrom().item(write.done().apply(recordIn(done)));
                    case Result.Refused<UpdateItemResponse> refused -> {
                        var refusal = new Refusal(recordIn(refused), refused.inDoubt());
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

    private LockRules.Decision<ReleaseOutcome> notReleased(Refusal refusal, LeaseRef lease, Instant now) {
        return endedByUs(refusal, lease).orElseGet(() -> rules.release(refusal.current(), lease, now));
    }

    /** An earlier attempt of this very call had released it, and only its answer was lost. */
    private static Optional<LockRules.Decision<ReleaseOutcome>> endedByUs(Refusal refusal, LeaseRef lease) {
        return refusal.current()
                .filter(record -> refusal.inDoubt()
                        && record.end().isPresent()
                        && record.lease().ref().equals(lease))
                .map(record -> LockRules.Decision.refuse(released(record)));
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
}
