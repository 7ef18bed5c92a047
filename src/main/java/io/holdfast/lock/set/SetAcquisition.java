package io.holdfast.lock.set;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.AcquireCommand;
import io.holdfast.lock.LeaseTerms;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.keepalive.LeaseRenewer;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.RenewOutcome;
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
 * Several locks being taken, one after the other. Those that are taken are kept alive while the next is waited for; if
 * one of them is lost, one is refused, or the caller goes away, all that are new are given back.
 *
 * <p>What an earlier attempt has taken under the same lock_id is kept as well, and belongs to this attempt from then on. It
 * is given back only by a refusal, which tells the caller that none is held: otherwise the caller may have heard of the
 * earlier attempt's answer, and be at work. What a later attempt has taken over is left to that one.
 */
final class SetAcquisition {
    private static final double RENEW_AFTER = 1.0 / 3;

    private final LockSetService sets;
    private final LockSetService.AcquireAll command;
    private final LockId id;
    private final AttemptId attempt = AttemptId.random();
    private final Optional<Instant> deadline;
    private final Duration longest;
    private final UniEmitter<? super Timestamped<AcquireAllOutcome>> caller;

    // What follows changes under the monitor of this.
    private final List<Taken> taken = new ArrayList<>();
    private Cancellable asking = () -> {};
    private boolean over;
    private boolean refused;

    /** @param keeper none for a lease that the owner had before, and for one that need not be kept */
    private record Taken(Lease lease, boolean fresh, Optional<LeaseRenewer> keeper) {}

    SetAcquisition(
            LockSetService sets,
            LockSetService.AcquireAll command,
            Optional<Duration> patience,
            UniEmitter<? super Timestamped<AcquireAllOutcome>> caller) {
        this.sets = sets;
        this.command = command;
        this.id = command.id().orElseGet(LockId::random);
        this.deadline = patience.map(sets.renewers().now()::plus);
        this.longest = patience.orElse(Duration.ZERO);
        this.caller = caller;
    }

    /** Asks for the next one. */
    void next() {
        int place;
        synchronized (this) {
            place = taken.size();
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

    private void ask(int place, AcquireCommand wanted) {
        var subscription = sets.locks().acquire(wanted, attempt).subscribe().with(this::answered, this::failed);
        synchronized (this) {
            if (!over && taken.size() == place) {
                asking = subscription;
                return;
            }
        }
        if (isOver()) {
            stopWaiting(subscription);
        }
    }

    private LeaseTerms terms() {
        var patience = deadline.map(until -> Durations.min(Duration.between(now(), until), longest));
        return new LeaseTerms(command.terms().ttl(), patience, command.terms().maxHold());
    }

    /** The clock may have been set back since the first was asked for. */
    private Instant now() {
        return sets.renewers().now();
    }

    private void answered(Timestamped<AcquireOutcome> at) {
        switch (at.answer()) {
            case AcquireOutcome.Granted granted -> took(granted.lease(), true);
            case AcquireOutcome.AlreadyYours yours -> took(yours.lease(), false);
            default -> end(new AcquireAllOutcome.Blocked(at));
        }
    }

    private void took(Lease lease, boolean fresh) {
        synchronized (this) {
            if (!over) {
                var keeper = deadline.filter(until -> isOurs(lease)).map(until -> renew(lease));
                taken.add(new Taken(lease, fresh, keeper));
            }
        }
        if (isOver()) {
            undone(new Taken(lease, fresh, Optional.empty())).subscribe().with(done -> {});
        } else {
            next();
        }
    }

    /** Whether it was taken by this request, or by an earlier attempt of it. */
    private boolean isOurs(Lease lease) {
        return lease.id().equals(id);
    }

    private LeaseRenewer renew(Lease lease) {
        var terms = new LeaseRenewer.Terms(
                lease.term().ttl(),
                RENEW_AFTER,
                lease.term().renewUntil(),
                lease.term().acquiredAt());
        return sets.renewers()
                .renew(lease, terms, loss -> end(new AcquireAllOutcome.LostMeanwhile(lease.name(), loss)));
    }

    /** All are taken. Those that were kept are renewed once more, so that whoever gets them has all of their time. */
    private void confirm() {
        List<Taken> all;
        synchronized (this) {
            all = List.copyOf(taken);
        }
        // To the end of all of them, even if one fails: what is to be undone must be known.
        Uni.join()
                .all(all.stream().map(this::confirmed).toList())
                .andCollectFailures()
                .subscribe()
                .with(this::granted, failure -> failed(worstOf(failure)));
    }

    private static Throwable worstOf(Throwable failure) {
        if (!(failure instanceof CompositeException several)) {
            return failure;
        }
        return several.getCauses().stream()
                .filter(LostException.class::isInstance)
                .findFirst()
                .orElse(several.getCauses().getFirst());
    }

    /** What was granted just now needs no renewal. Anything else may have expired while the next was asked for. */
    private Uni<Lease> confirmed(Taken lock) {
        if (lock.fresh() && lock.keeper().isEmpty() && hasMostOfItsTime(lock.lease())) {
            return Uni.createFrom().item(lock.lease());
        }
        return leave(lock)
                .chain(() -> sets.locks().renewFor(lock.lease(), attempt))
                .map(at -> switch (at.answer()) {
                    case RenewOutcome.Renewed renewed -> renewed.lease();
                    case RenewOutcome.Superseded superseded -> superseded.lease();
                    case RenewOutcome.NotHeld notHeld -> throw new LostException(lock.lease());
                });
    }

    private boolean hasMostOfItsTime(Lease lease) {
        return lease.remainingAt(now()).multipliedBy(2).compareTo(lease.term().ttl()) > 0;
    }

    private void granted(List<Lease> leases) {
        boolean fresh;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            fresh = taken.stream().anyMatch(Taken::fresh);
        }
        caller.complete(new Timestamped<>(
                new AcquireAllOutcome.AllGranted(leases, fresh), sets.renewers().now()));
    }

    private void failed(Throwable failure) {
        if (failure instanceof LostException lost) {
            end(new AcquireAllOutcome.LostMeanwhile(lost.lease.name(), LeaseLoss.expired(lost.lease)));
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

    /** The caller is gone. */
    void abandon() {
        undo(false).ifPresent(undone -> undone.subscribe().with(done -> {}));
    }

    /**
     * @param refusal whether the caller is told that none is held
     * @return what is to be awaited before the caller may ask again; none if there is nothing to end any more
     */
    private Optional<Uni<Void>> undo(boolean refusal) {
        List<Taken> all;
        Cancellable last;
        synchronized (this) {
            if (over) {
                return Optional.empty();
            }
            over = true;
            refused = refusal;
            all = List.copyOf(taken);
            last = asking;
        }
        stopWaiting(last);
        var undone = all.stream().map(this::undone).toList();
        return Optional.of(
                undone.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : Uni.join().all(undone).andCollectFailures().replaceWithVoid());
    }

    /** Who only asks once is answered soon; what was granted by then is given back there. */
    private void stopWaiting(Cancellable subscription) {
        if (deadline.isPresent()) {
            subscription.cancel();
        }
    }

    /** Never fails. */
    private Uni<Void> undone(Taken lock) {
        return lock.fresh() || (isRefused() && isOurs(lock.lease())) ? releaseIfUnchanged(lock) : leave(lock);
    }

    private static Uni<Void> leave(Taken lock) {
        return lock.keeper().map(LeaseRenewer::stop).orElseGet(() -> Uni.createFrom()
                .voidItem());
    }

    private Uni<Void> releaseIfUnchanged(Taken lock) {
        return leave(lock).chain(() -> {
            var until = now().plus(lock.lease().term().ttl());
            return sets.locks().releaseQuietly(LeaseClaim.of(lock.lease(), attempt), until);
        });
    }

    /** The one that failed may have been granted all the same. Who waited for it sees to that elsewhere. */
    private Uni<Void> releaseInDoubt() {
        var failed = command.names().all().stream().skip(takenCount()).findFirst();
        return failed.filter(name -> deadline.isEmpty())
                .map(name -> sets.locks()
                        .withdrawInDoubt(
                                new LeaseRef(name, id, command.owner()),
                                attempt,
                                sets.expiryOf(command.terms(), now())))
                .orElseGet(() -> Uni.createFrom().voidItem());
    }

    private synchronized int takenCount() {
        return taken.size();
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized boolean isRefused() {
        return refused;
    }

    private static final class LostException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Lease lease;

        LostException(Lease lease) {
            super(null, null, false, false);
            this.lease = lease;
        }
    }
}
