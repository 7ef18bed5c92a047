package io.holdfast.lock.port;

import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A real store that answers before it returns, unless the test makes it fail or keeps steps under way. */
public final class FakeLockStore implements LockStore {
    /** What the next calls meet. */
    public enum Mood {
        ANSWERING,
        /** Fails without having done anything. */
        UNREACHABLE,
        /** Does what it is asked, and then fails. */
        MUTE
    }

    private final LockStore store;
    private final Deque<Runnable> underWay = new ArrayDeque<>();
    public Mood mood = Mood.ANSWERING;
    public boolean slow;
    /** Happens after the next release was carried out, and before it is answered. */
    public Runnable beforeAnswer = () -> {};
    /** Whether renewals are kept under way, too, when {@link #goOn} lets an acquire happen. */
    public boolean renewsSlowly;

    public int renewalsAsked;
    public int finds;

    public FakeLockStore(LockStore store) {
        this.store = store;
    }

    /** Lets the steps under way happen, and answers them. */
    public void goOn() {
        slow = false;
        renewsSlowly = false;
        while (!underWay.isEmpty()) {
            underWay.remove().run();
        }
    }

    private <T> Uni<T> step(Supplier<Uni<T>> step) {
        return Uni.createFrom().deferred(() -> switch (mood) {
            case ANSWERING -> Uni.createFrom().item(await(step.get()));
            case UNREACHABLE -> Uni.createFrom().failure(new StoreUnavailableException("No store."));
            case MUTE -> {
                await(step.get());
                yield Uni.createFrom().failure(new StoreUnavailableException("No answer."));
            }
        });
    }

    private <T> Uni<T> maybeLater(boolean later, Supplier<Uni<T>> step) {
        return Uni.createFrom().emitter(caller -> {
            Runnable happens = () -> step(step).subscribe().with(caller::complete, caller::fail);
            if (slow || later) {
                underWay.add(happens);
            } else {
                happens.run();
            }
        });
    }

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return maybeLater(false, () -> store.acquire(request, now));
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now) {
        renewalsAsked++;
        return maybeLater(renewsSlowly, () -> store.renew(claim, renewal, now));
    }

    @Override
    public Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return step(() -> store.confirmTickets(name, presence));
    }

    @Override
    public Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone) {
        return step(() -> store.evict(name, gone));
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now) {
        return step(() -> store.withdraw(request, attempt, now));
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now) {
        return step(() -> store.release(claim, now)).invoke(() -> {
            var happening = beforeAnswer;
            beforeAnswer = () -> {};
            happening.run();
        });
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return step(() -> store.forceRelease(force, now));
    }

    @Override
    public Uni<Optional<LockRecord>> find(LockName name) {
        finds++;
        return step(() -> store.find(name));
    }

    @Override
    public Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return step(() -> store.list(query, now));
    }

    @Override
    public Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now) {
        return step(() -> store.sweep(from, bounds, now));
    }
}
