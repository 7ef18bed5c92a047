package io.holdfast.telemetry;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.AcquireOutcome;
import io.holdfast.lock.AcquireRequest;
import io.holdfast.lock.Asker;
import io.holdfast.lock.ForceRelease;
import io.holdfast.lock.ForceReleaseOutcome;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LeaseRef;
import io.holdfast.lock.LockName;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockRecord;
import io.holdfast.lock.LockStore;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.RenewOutcome;
import io.holdfast.lock.WithdrawOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** A lock store whose every outcome is logged and counted, for all of its users alike. Changes no answer. */
public final class ObservedLockStore implements LockStore {
    private final LockStore store;
    private final LockMetrics metrics;
    private final LockLog log = new LockLog();

    public ObservedLockStore(LockStore store, LockMetrics metrics) {
        this.store = store;
        this.metrics = metrics;
    }

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return Uni.createFrom().deferred(() -> {
            var started = System.nanoTime();
            Supplier<Duration> took = () -> Duration.ofNanos(System.nanoTime() - started);
            return store.acquire(request, now)
                    .invoke(outcome -> {
                        count(outcome);
                        metrics.acquireAnswered(took.get());
                        log.acquired(request, outcome, took.get());
                    })
                    .onFailure()
                    .invoke(e -> {
                        metrics.failed(LockMetrics.Failure.STORE_UNAVAILABLE);
                        metrics.acquireAnswered(took.get());
                        log.unavailable("acquire", request.name(), e);
                    });
        });
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, Asker asker, Instant now) {
        return store.withdraw(request, asker, now)
                .invoke(outcome -> log.withdrawn(request, outcome))
                .onFailure()
                .invoke(e -> log.unavailable("withdraw", request.name(), e));
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseRef lease, Optional<Duration> ttl, Instant now) {
        return store.renew(lease, ttl, now)
                .invoke(outcome -> log.renewed(lease, outcome))
                .onFailure()
                .invoke(e -> log.unavailable("renew", lease.name(), e));
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseRef lease, Instant now) {
        return observed(store.release(lease, now), lease, now);
    }

    private Uni<ReleaseOutcome> observed(Uni<ReleaseOutcome> release, LeaseRef lease, Instant now) {
        return release.invoke(outcome -> {
                    if (outcome instanceof ReleaseOutcome.Released released) {
                        held(released.lease(), now);
                    }
                    log.released(lease, outcome, now);
                })
                .onFailure()
                .invoke(e -> log.unavailable("release", lease.name(), e));
    }

    @Override
    public Uni<ReleaseOutcome> giveBack(Lease seen, Instant now) {
        return observed(store.giveBack(seen, now), seen.ref(), now);
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return store.forceRelease(force, now)
                .invoke(outcome -> {
                    if (outcome instanceof ForceReleaseOutcome.Freed freed) {
                        held(freed.previous(), now);
                    }
                    log.forced(force, outcome);
                })
                .onFailure()
                .invoke(e -> log.unavailable("force_release", force.name(), e));
    }

    @Override
    public Uni<Optional<LockRecord>> find(LockName name) {
        return store.find(name);
    }

    @Override
    public Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return store.list(query, now);
    }

    @Override
    public Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now) {
        return store.sweep(from, bounds, now).invoke(step -> metrics.cleaned(step.purged()));
    }

    private void count(AcquireOutcome outcome) {
        switch (outcome) {
            case AcquireOutcome.Granted granted ->
                granted.takenOver().ifPresent(old -> {
                    metrics.tookOver();
                    // Nobody gave it back; it was the old holder's until its lease ran out.
                    held(old, old.expiresAt());
                });
            case AcquireOutcome.AlreadyYours yours -> {}
            case AcquireOutcome.HeldByAnother held -> metrics.failed(LockMetrics.Failure.HELD);
            case AcquireOutcome.ClosedUntil closed -> metrics.failed(LockMetrics.Failure.CLOSED);
            case AcquireOutcome.KeptForLine kept -> metrics.failed(LockMetrics.Failure.KEPT_FOR_LINE);
            case AcquireOutcome.LineFull full -> metrics.failed(LockMetrics.Failure.LINE_FULL);
            case AcquireOutcome.InLine inLine -> {}
            case AcquireOutcome.GaveUp gaveUp -> {}
        }
    }

    private void held(Lease lease, Instant until) {
        metrics.held(lease.labels().type(), Duration.between(lease.term().acquiredAt(), until));
    }
}
