package io.holdfast.store.dynamodb;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
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
import io.holdfast.store.dynamodb.DynamoDbCalls.Result;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
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
    private final String table;
    private final int sweepParallelMax;
    private final LockScan scan;

    DynamoDbLockStore(DynamoDbAsyncClient client, DynamoDbCalls calls, ClockGuard clock, Settings settings) {
        this.client = client;
        this.calls = calls;
        this.clock = clock;
        this.rules = settings.rules();
        this.table = settings.table();
        this.writes = new LockWrites(table, rules);
        this.sweepParallelMax = settings.sweepParallelMax();
        this.scan = new LockScan(client, calls, table);
    }

    record Settings(String table, LockRules rules, int sweepParallelMax) {}

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return Uni.createFrom().deferred(() -> {
            var inForce = clock.clockIsOff() ? rules.withoutTakeovers() : rules;
            return update("acquire", writes.acquire(request, inForce.takeovers(), now))
                    .map(result -> switch (result) {
                        case Result.Done<UpdateItemResponse> done -> granted(request, done.response(), now);
                        case Result.Refused<UpdateItemResponse> refused -> notGranted(inForce, request, refused, now);
                    });
        });
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseRef lease, Optional<Duration> ttl, Instant now) {
        return update("renew", writes.renew(lease, ttl, now)).map(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done ->
                new RenewOutcome.Renewed(
                        LockItem.read(done.response().attributes()).lease());
            case Result.Refused<UpdateItemResponse> refused ->
                rules.renew(current(refused), lease, ttl, now).outcome();
        });
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseRef lease, Instant now) {
        return update("release", writes.release(lease, now)).map(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done ->
                new ReleaseOutcome.Released(
                        LockItem.read(done.response().attributes()).lease());
            case Result.Refused<UpdateItemResponse> refused -> notReleased(lease, refused, now);
        });
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return update("force_release", writes.forceRelease(force, now)).map(result -> switch (result) {
            case Result.Done<UpdateItemResponse> done ->
                new ForceReleaseOutcome.Freed(
                        LockItem.read(done.response().attributes()).lease(),
                        force.seen().next());
            case Result.Refused<UpdateItemResponse> refused -> notForced(force, refused, now);
        });
    }

    @Override
    public Uni<Optional<LockRecord>> find(LockName name) {
        return calls.call(
                        "find",
                        () -> client.getItem(get ->
                                get.tableName(table).key(LockItem.key(name)).consistentRead(true)))
                .map(Result::unconditional)
                .map(response -> response.hasItem() ? Optional.of(LockItem.read(response.item())) : Optional.empty());
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

    private Uni<Result<UpdateItemResponse>> update(String operation, UpdateItemRequest request) {
        return calls.call(operation, () -> client.updateItem(request));
    }

    /** The write returned what it replaced, so the token it made is known without another read. */
    private static AcquireOutcome granted(AcquireRequest request, UpdateItemResponse response, Instant now) {
        if (!response.hasAttributes() || response.attributes().isEmpty()) {
            return new AcquireOutcome.Granted(request.leaseAt(now, FencingToken.firstAt(now)), Optional.empty());
        }
        var old = LockItem.read(response.attributes());
        return new AcquireOutcome.Granted(
                request.leaseAt(now, old.token().next()),
                Optional.of(old).filter(record -> record.end().isEmpty()).map(LockRecord::lease));
    }

    private static AcquireOutcome notGranted(
            LockRules inForce, AcquireRequest request, Result.Refused<UpdateItemResponse> refused, Instant now) {
        var outcome = inForce.acquire(current(refused), request, now).outcome();
        if (refused.inDoubt()
                && outcome instanceof AcquireOutcome.AlreadyYours yours
                && yours.lease().ref().equals(request.ref())) {
            // An earlier attempt of this very call had succeeded, and only its answer was lost.
            return new AcquireOutcome.Granted(yours.lease(), Optional.empty());
        }
        return outcome;
    }

    private ReleaseOutcome notReleased(LeaseRef lease, Result.Refused<UpdateItemResponse> refused, Instant now) {
        var current = current(refused);
        var endedByUs = current.filter(record -> refused.inDoubt()
                && record.end().isPresent()
                && record.lease().ref().equals(lease));
        return endedByUs
                .<ReleaseOutcome>map(record -> new ReleaseOutcome.Released(record.lease()))
                .orElseGet(() -> rules.release(current, lease, now).outcome());
    }

    private ForceReleaseOutcome notForced(ForceRelease force, Result.Refused<UpdateItemResponse> refused, Instant now) {
        var current = current(refused);
        var forcedByUs = current.filter(record -> refused.inDoubt()
                && record.lease().token().equals(force.seen())
                && record.end().flatMap(LockRecord.End::forcedBecause).equals(Optional.of(force.reason())));
        return forcedByUs
                .<ForceReleaseOutcome>map(record -> new ForceReleaseOutcome.Freed(record.lease(), record.token()))
                .orElseGet(() -> rules.forceRelease(current, force, now).outcome());
    }

    private static Optional<LockRecord> current(Result.Refused<UpdateItemResponse> refused) {
        var condition = refused.condition();
        return condition.hasItem() && !condition.item().isEmpty()
                ? Optional.of(LockItem.read(condition.item()))
                : Optional.empty();
    }
}
