package io.holdfast.lock.set;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.keepalive.LeaseRenewer;
import io.holdfast.lock.keepalive.RenewalTerms;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.set.AcquiredLock.LeaseLostException;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Acquires the locks of a set, one after the other. While it waits for the next lock, the leases acquired so far are
 * renewed. If a lease is lost, a lock is refused, or the caller disconnects, all new leases are released.
 *
 * <p>A lease that an earlier attempt acquired with the same lock_id moves to this attempt. Only a refusal releases it,
 * because it tells the caller that no lock is held. In the other cases the caller may have the answer of the earlier
 * attempt and rely on the lease. A lease that a later attempt has taken over is not released.
 */
final class SetAcquisition {
    private static final double RENEW_AFTER = 1.0 / 3;

    private final LockSetService sets;
    private final LockSetService.AcquireAll command;
    private final LockId id;
    private final AttemptId attempt = AttemptId.random();
    private final Optional<Instant> deadline;
    private final Duration waitMax;
    private final UniEmitter<? super Timestamped<AcquireAllOutcome>> caller;

    // Guarded by this.
    private final List<AcquiredLock> acquired = new ArrayList<>();
    private Cancellable asking = () -> {};
    private boolean over;
    private boolean refused;

    SetAcquisition(
            LockSetService sets,
            LockSetService.AcquireAll command,
            Optional<Duration> wait,
            UniEmitter<? super Timestamped<AcquireAllOutcome>> caller) {
        this.sets = sets;
        this.command = command;
        this.id = command.id().orElseGet(LockId::random);
        this.deadline = wait.map(sets.renewers().now()::plus);
        this.waitMax = wait.orElse(Duration.ZERO);
        this.caller = caller;
    }

    /** Asks for the next lock, or confirms all if there is none left. */
    void next() {
        int place;
        synchronized (this) {
            place = acquired.size();
        }
        if (place == command.names().all().size()) {
            confirm();
            return;
        }
        var name = command.names().all().get(place);
        if (place > 0 && deadline.filter(until -> !now().isBefore(until)).isPresent()) {
            end(new AcquireAllOutcome.Blocked(
                    new Timestamped<>(new AcquireOutcome.GaveUp(name, Optional.empty()), now())));
            return;
        }
        try {
            ask(place, command.one(name, id, terms()));
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void ask(int place, AcquireCommand next) {
        var subscription = sets.locks().acquire(next, attempt).subscribe().with(this::answered, this::failed);
        synchronized (this) {
            if (!over && acquired.size() == place) {
                asking = subscription;
                return;
            }
        }
        if (isOver()) {
            stopWaiting(subscription);
        }
    }

    private LeaseTerms terms() {
        // The clock may have been set back since the first lock was requested.
        var wait = deadline.map(until -> Durations.min(Duration.between(now(), until), waitMax));
        return new LeaseTerms(command.terms().ttl(), wait, command.terms().maxHold());
    }

    private Instant now() {
        return sets.renewers().now();
    }

    private void answered(Timestamped<AcquireOutcome> at) {
        switch (at.answer()) {
            case AcquireOutcome.Granted granted -> add(granted.lease(), true);
            case AcquireOutcome.AlreadyHeld yours -> add(yours.lease(), false);
            default -> end(new AcquireAllOutcome.Blocked(at));
        }
    }

    private void add(Lease lease, boolean fresh) {
        synchronized (this) {
            if (!over) {
                var renewer = deadline.filter(until -> isOfRequest(lease)).map(until -> renew(lease));
                acquired.add(new AcquiredLock(lease, fresh, renewer));
            }
        }
        if (isOver()) {
            undone(new AcquiredLock(lease, fresh, Optional.empty())).subscribe().with(done -> {});
        } else {
            next();
        }
    }

    /** Whether this request acquired the lease, in this attempt or an earlier one. */
    private boolean isOfRequest(Lease lease) {
        return lease.id().equals(id);
    }

    private LeaseRenewer renew(Lease lease) {
        var terms = new RenewalTerms(
                lease.term().ttl(),
                RENEW_AFTER,
                lease.term().renewUntil(),
                lease.term().acquiredAt());
        return sets.renewers()
                .renew(lease, terms, loss -> end(new AcquireAllOutcome.LostMeanwhile(lease.name(), loss)));
    }

    /** Renews the leases, so that the caller gets each with its whole TTL. */
    private void confirm() {
        List<AcquiredLock> all;
        synchronized (this) {
            all = List.copyOf(acquired);
        }
        // If one fails, the others are awaited too, so that all of them can be released.
        Uni.join()
                .all(all.stream().map(lock -> lock.confirm(sets, attempt)).toList())
                .andCollectFailures()
                .subscribe()
                .with(this::granted, failure -> failed(mainCause(failure)));
    }

    private static Throwable mainCause(Throwable failure) {
        if (!(failure instanceof CompositeException several)) {
            return failure;
        }
        return several.getCauses().stream()
                .filter(LeaseLostException.class::isInstance)
                .findFirst()
                .orElse(several.getCauses().getFirst());
    }

    private void granted(List<Lease> leases) {
        boolean fresh;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            fresh = acquired.stream().anyMatch(AcquiredLock::fresh);
        }
        caller.complete(new Timestamped<>(
                new AcquireAllOutcome.AllGranted(leases, fresh), sets.renewers().now()));
    }

    private void failed(Throwable failure) {
        if (failure instanceof LeaseLostException lost) {
            end(new AcquireAllOutcome.LostMeanwhile(lost.lease().name(), LeaseLoss.expired(lost.lease())));
        } else {
            undo(false)
                    .ifPresentOrElse(
                            undone -> undone.chain(this::releaseInDoubt)
                                    .subscribe()
                                    .with(done -> caller.fail(failure)),
                            () -> releaseInDoubt().subscribe().with(done -> {}));
        }
    }

    private void end(AcquireAllOutcome outcome) {
        undo(true).ifPresent(undone -> undone.subscribe()
                .with(done -> caller.complete(new Timestamped<>(outcome, now()))));
    }

    /** The caller has disconnected. */
    void cancel() {
        undo(false).ifPresent(undone -> undone.subscribe().with(done -> {}));
    }

    /**
     * @param refusal whether the answer tells the caller that no lock is held
     * @return completes when the caller can retry; empty if the acquisition has ended before
     */
    private Optional<Uni<Void>> undo(boolean refusal) {
        List<AcquiredLock> all;
        Cancellable last;
        synchronized (this) {
            if (over) {
                return Optional.empty();
            }
            over = true;
            refused = refusal;
            all = List.copyOf(acquired);
            last = asking;
        }
        stopWaiting(last);
        var undone = all.stream().map(this::undone).toList();
        return Optional.of(
                undone.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : Uni.join().all(undone).andCollectFailures().replaceWithVoid());
    }

    /** A request without a wait is not cancelled: its answer comes soon, and a grant is released then. */
    private void stopWaiting(Cancellable subscription) {
        if (deadline.isPresent()) {
            subscription.cancel();
        }
    }

    /** Never fails. */
    private Uni<Void> undone(AcquiredLock lock) {
        return lock.fresh() || (isRefused() && isOfRequest(lock.lease()))
                ? lock.releaseIfUnchanged(sets, attempt)
                : lock.stopRenewing();
    }

    /** The failed request may have been granted the lock. A request with a wait is withdrawn by its queue. */
    private Uni<Void> releaseInDoubt() {
        var failed = command.names().all().stream().skip(acquiredCount()).findFirst();
        return failed.filter(name -> deadline.isEmpty())
                .map(name -> sets.locks()
                        .withdrawInDoubt(
                                new LeaseRef(name, id, command.owner()),
                                attempt,
                                sets.expiryOf(command.terms(), now())))
                .orElseGet(() -> Uni.createFrom().voidItem());
    }

    private synchronized int acquiredCount() {
        return acquired.size();
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized boolean isRefused() {
        return refused;
    }
}
