package io.holdfast.store.dynamodb.lock;

import static io.holdfast.store.dynamodb.lock.DynamoDbGrants.contradicted;
import static io.holdfast.store.dynamodb.lock.DynamoDbGrants.recordIn;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStatistics;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.Renewal;
import io.holdfast.lock.port.WithdrawOutcome;
import io.holdfast.store.dynamodb.call.ClockGuard;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbCalls.Result;
import io.holdfast.store.dynamodb.call.DynamoDbConfig;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Locks in a DynamoDB table. Acquire, renew, release and force release are one {@code UpdateItem} each. If its
 * condition is refused, DynamoDB returns the item, and the rules decide on it what to answer.
 */
public final class DynamoDbLockStore implements LockStore {
    private final DynamoDbAsyncClient client;
    private final DynamoDbCalls calls;
    private final ClockGuard clock;
    private final LockRules rules;
    private final LeaseWrites writes;
    private final DynamoDbGrants grants;
    private final DynamoDbReleases releases;
    private final String table;
    private final int sweepParallelMax;
    private final int contradictionsMax;
    private final LockScan scan;

    public DynamoDbLockStore(
            DynamoDbAsyncClient client,
            DynamoDbCalls calls,
            ClockGuard clock,
            String table,
            LockRules rules,
            DynamoDbConfig config) {
        this.client = client;
        this.calls = calls;
        this.clock = clock;
        this.rules = rules;
        this.table = table;
        this.writes = new LeaseWrites(table, rules);
        this.sweepParallelMax = config.sweepParallelMax();
        this.contradictionsMax = config.attemptsMax();
        var queueWrites = new QueueWrites(table, rules.queueMax());
        this.grants = new DynamoDbGrants(
                client, calls, new GrantWrites(table, rules), writes, queueWrites, contradictionsMax);
        this.releases = new DynamoDbReleases(client, calls, writes, rules, contradictionsMax);
        this.scan = new LockScan(client, calls, table);
    }

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return whenClockIsKnown(request.name(), asked -> {
            if (clock.isBehind(asked)) {
                return refuseOrFail(request, now);
            }
            // An overdue request is granted nothing, but needs the record to answer with the present lease.
            return request.overdueAt(now) && request.observation().seen().isEmpty()
                    ? find(request.name()).chain(seen -> grants.acquire(seenIn(request, seen), rulesAt(asked), now))
                    : grants.acquire(request, rulesAt(asked), now);
        });
    }

    private static AcquireRequest seenIn(AcquireRequest request, Optional<LockRecord> seen) {
        return request.with(
                new AcquireRequest.Observation(seen, request.observation().unchangedForTtl()));
    }

    /**
     * A new replica decides nothing before DynamoDB's first answer, which tells the offset of its clock. The clock is
     * read at the request, whose time comes from it; it may be set before the answer.
     */
    private <T> Uni<T> whenClockIsKnown(LockName name, Function<ClockGuard.Reading, Uni<T>> decide) {
        return Uni.createFrom().deferred(() -> {
            var asked = clock.read();
            return clock.isKnown() ? decide.apply(asked) : find(name).chain(() -> decide.apply(asked));
        });
    }

    /** By a clock that was off at the request, no lease counts as expired. */
    private LockRules rulesAt(ClockGuard.Reading asked) {
        return clock.isOff(asked) ? rules.withoutTakeovers() : rules;
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now) {
        return find(request.name()).chain(seen -> grants.withdraw(request, attempt, seen, rules, now));
    }

    @Override
    public Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return grants.confirmTickets(name, presence);
    }

    @Override
    public Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone) {
        return find(name).chain(seen -> grants.evict(gone, seen, rules));
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now) {
        return whenClockIsKnown(
                claim.name(),
                asked -> clock.isBehind(asked)
                        ? Uni.createFrom().failure(clock.behind())
                        : renew(
                                new Renewing(claim, renewal, rulesAt(asked), now),
                                Optional.empty(),
                                contradictionsMax));
    }

    private record Renewing(LeaseClaim claim, Renewal renewal, LockRules rules, Instant now) {}

    private Uni<RenewOutcome> renew(Renewing renewing, Optional<LockRecord> seen, int triesLeft) {
        var write = writes.renew(
                renewing.claim(), renewing.renewal(), seen, renewing.rules().takeovers(), renewing.now());
        return calls.call("renew", () -> client.updateItem(write)).chain(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done ->
                Uni.createFrom().item(renewed(recordIn(done).orElseThrow(), renewing.now()));
            case Result.Refused<UpdateItemResponse> refused -> notRenewed(renewing, recordIn(refused), triesLeft);
        });
    }

    /** If a later renewal came first, the lease keeps its end, and this renewal only confirms it. */
    private Uni<RenewOutcome> notRenewed(Renewing renewing, Optional<LockRecord> seen, int triesLeft) {
        var decision = renewing.rules().renew(seen, renewing.claim(), renewing.renewal(), renewing.now());
        if (decision.write().isEmpty()) {
            return Uni.createFrom().item(decision.outcome());
        }
        if (triesLeft < 1) {
            return Uni.createFrom().failure(contradicted("renew"));
        }
        var before = seen.orElseThrow();
        var wanted = decision.write().get();
        if (!wanted.lease().expiresAt().equals(before.lease().expiresAt())) {
            return renew(renewing, seen, triesLeft - 1);
        }
        return calls.call("renew", () -> client.updateItem(writes.confirm(before, wanted)))
                .chain(result -> switch (result) {
                    case Result.Done<UpdateItemResponse> done ->
                        Uni.createFrom().item(decision.outcome());
                    case Result.Refused<UpdateItemResponse> refused -> renew(renewing, seen, triesLeft - 1);
                });
    }

    private static RenewOutcome renewed(LockRecord record, Instant now) {
        return new RenewOutcome.Renewed(record.lease(), record.waitingAt(now));
    }

    /**
     * A lease that is granted by a clock behind expires for other replicas before it does for its holder. So nothing is
     * granted, but a conflict is still answered with the holder.
     */
    private Uni<AcquireOutcome> refuseOrFail(AcquireRequest request, Instant now) {
        return find(request.name()).chain(current -> {
            var decision = rules.withoutTakeovers().acquire(current, request, now);
            return decision.write().isPresent()
                    ? Uni.createFrom().failure(clock.behind())
                    : Uni.createFrom().item(decision.outcome());
        });
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now) {
        var asked = clock.read();
        return releases.release(claim, () -> rulesAt(asked), now);
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return releases.forceRelease(force, now);
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
                        new SweepStep(purged.size(), Optional.of(statistics(page.items(), bounds, now)), page.next())));
    }

    private LockStatistics statistics(List<LockRecord> seen, SweepBounds bounds, Instant now) {
        return seen.stream()
                .filter(record -> !rules.expendable(record, now))
                .map(record -> LockStatistics.of(record, bounds.staleAfter(), now))
                .reduce(LockStatistics.NONE, LockStatistics::plus);
    }

    private Uni<Boolean> purge(LockRecord seen) {
        var request = writes.purge(seen);
        return calls.call("purge", () -> client.deleteItem(request)).map(result -> result instanceof Result.Done);
    }
}
