package io.holdfast.lock.port;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A real store that lets something happen right after a given step of a sweep. */
public final class AfterStep implements LockStore {
    private final LockStore store;
    private final int step;
    private final Runnable happening;
    private boolean blind;
    private final AtomicInteger steps = new AtomicInteger();

    public AfterStep(LockStore store, int step, Runnable happening) {
        this.store = store;
        this.step = step;
        this.happening = happening;
    }

    @Override
    public Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now) {
        return store.sweep(from, bounds, now)
                .emitOn(Infrastructure.getDefaultExecutor())
                .invoke(() -> {
                    if (steps.incrementAndGet() == step) {
                        happening.run();
                    }
                })
                .map(done -> blind && steps.get() == step
                        ? new SweepStep(done.purged(), Optional.empty(), done.next())
                        : done);
    }

    /** It tells nobody what it saw in that step. */
    public AfterStep seeingNothing() {
        blind = true;
        return this;
    }

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return store.acquire(request, now);
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now) {
        return store.withdraw(request, attempt, now);
    }

    @Override
    public Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return store.confirmTickets(name, presence);
    }

    @Override
    public Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone) {
        return store.evict(name, gone);
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now) {
        return store.renew(claim, renewal, now);
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now) {
        return store.release(claim, now);
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return store.forceRelease(force, now);
    }

    @Override
    public Uni<Optional<LockRecord>> find(LockName name) {
        return store.find(name);
    }

    @Override
    public Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return store.list(query, now);
    }
}
