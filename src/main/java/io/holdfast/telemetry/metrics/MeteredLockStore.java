package io.holdfast.telemetry.metrics;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.Renewal;
import io.holdfast.lock.port.WithdrawOutcome;
import io.holdfast.telemetry.log.LockLog;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Logs and counts every outcome of a lock store. Changes no answer. */
public final class MeteredLockStore implements LockStore {
    private final LockStore store;
    private final LockMetrics metrics;
    private final LockLog log = new LockLog();

    public MeteredLockStore(LockStore store, LockMetrics metrics) {
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
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now) {
        return store.withdraw(request, attempt, now)
                .invoke(outcome -> log.withdrawn(request, outcome))
                .onFailure()
                .invoke(e -> log.unavailable("withdraw", request.name(), e));
    }

    @Override
    public Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return store.confirmTickets(name, presence)
                .onFailure()
                .invoke(e -> log.unavailable("confirm_tickets", name, e));
    }

    @Override
    public Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone) {
        return store.evict(name, gone).onFailure().invoke(e -> log.unavailable("evict", name, e));
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now) {
        return store.renew(claim, renewal, now)
                .invoke(outcome -> log.renewed(claim.ref(), outcome))
                .onFailure()
                .invoke(e -> log.unavailable("renew", claim.name(), e));
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now) {
        return store.release(claim, now)
                .invoke(outcome -> {
                    if (outcome instanceof ReleaseOutcome.Released released) {
                        held(released.lease(), now);
                    }
                    log.released(claim.ref(), outcome, now);
                })
                .onFailure()
                .invoke(e -> log.unavailable("release", claim.name(), e));
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return store.forceRelease(force, now)
                .invoke(outcome -> {
                    if (outcome instanceof ForceReleaseOutcome.Freed freed) {
                        freed.previous().ifPresent(lease -> held(lease, now));
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
                    // The old holder held it until its lease expired.
                    held(old, old.expiresAt());
                });
            case AcquireOutcome.AlreadyHeld yours -> {}
            case AcquireOutcome.HeldByAnother held -> metrics.failed(LockMetrics.Failure.HELD);
            case AcquireOutcome.ClosedUntil closed -> metrics.failed(LockMetrics.Failure.CLOSED);
            case AcquireOutcome.ReservedForQueue reserved -> metrics.failed(LockMetrics.Failure.RESERVED_FOR_QUEUE);
            case AcquireOutcome.QueueFull full -> metrics.failed(LockMetrics.Failure.QUEUE_FULL);
            case AcquireOutcome.Queued queued -> {}
            case AcquireOutcome.GaveUp gaveUp -> {}
        }
    }

    private void held(Lease lease, Instant until) {
        metrics.held(lease.labels().type(), Duration.between(lease.term().acquiredAt(), until));
    }
}
