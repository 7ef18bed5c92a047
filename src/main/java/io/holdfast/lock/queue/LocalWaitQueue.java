package io.holdfast.lock.queue;

import io.holdfast.kernel.Timers;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The callers at this replica that wait for one lock, and all that happens to them. The first of them asks the store for
 * all: at once when the lock was released here, and by polling for what happens at other replicas. So a hundred waiters
 * cost the store what one costs.
 *
 * <p>At most one request is in flight. An event that comes meanwhile is noted and handled when the answer is there: a
 * wake-up leads to another request, and a waiter whose wait has ended is told by the outcome of the request that was made
 * for it, because that may have granted the lock.
 */
final class LocalWaitQueue {
    private static final Logger LOG = Logger.getLogger(LocalWaitQueue.class);

    private final LockName name;
    private final LockWaiters all;
    private final TicketRequests tickets;
    private final PollBackoff backoff;
    private final TicketConfirmation confirmation;

    // The fields below and those of the waiters change under the monitor of this. Callers are told outside of it.
    private final OrderedWaiters waiters = new OrderedWaiters();
    private int arriving;
    private long wakes;
    private Waiter askingFor;
    private boolean askAgain;
    private Timers.Timer pollTimer = Timers.Timer.NONE;

    LocalWaitQueue(LockName name, LockWaiters all) {
        this.name = name;
        this.all = all;
        this.tickets = all.tickets();
        this.backoff = tickets.backoff();
        this.confirmation = new TicketConfirmation(name, tickets, all.timers(), this::confirmed);
    }

    LockName name() {
        return name;
    }

    /** A waiter is about to {@link #arrive}. From now on the queue stays in use and counts wake-ups. */
    synchronized LocalWaitQueue expectOne() {
        arriving++;
        return this;
    }

    synchronized boolean isUnused() {
        return waiters.isEmpty() && arriving == 0 && askingFor == null;
    }

    // Arriving

    /** Not cancelled when the caller disconnects: what the store has done must be known before it can be undone. */
    void arrive(Waiter waiter) {
        long wakesBefore;
        synchronized (this) {
            wakesBefore = wakes;
        }
        all.cleanup()
                .follow(
                        tickets.arrive(waiter.request()),
                        outcome -> {
                            if (outcome instanceof AcquireOutcome.Queued queued) {
                                queued(waiter, queued.record(), wakesBefore);
                            } else {
                                arrived();
                                decided(waiter, new Timestamped<>(outcome, waiter.since()));
                            }
                        },
                        failure -> {
                            arrived();
                            failed(waiter, failure);
                        });
    }

    private synchronized void arrived() {
        arriving--;
    }

    /** @param wakesBefore how many wake-ups there had been when it asked for its ticket; one since then was meant for it */
    private void queued(Waiter waiter, LockRecord record, long wakesBefore) {
        tickets.observe(record);
        all.listener().joined();
        boolean stays;
        boolean ask;
        synchronized (this) {
            arriving--;
            waiter.hadTicket = true;
            stays = waiter.state == Waiter.State.ARRIVING;
            if (stays) {
                waiter.state = Waiter.State.QUEUED;
                waiters.add(waiter);
                confirmation.start();
                waiter.deadline = after(waiter.until(), () -> leave(waiter));
            }
            arrange(record);
            ask = wakes != wakesBefore;
            if (!ask) {
                schedulePoll();
            }
        }
        if (!stays) {
            left(waiter);
        }
        if (ask) {
            ask(Optional.empty());
        }
        if (all.isClosing()) {
            dismissAll(LockWaiters.shuttingDown());
        }
    }

    // Asking

    /** @param seen the record, if it was read just now */
    void wake(Optional<LockRecord> seen) {
        synchronized (this) {
            wakes++;
        }
        ask(seen);
    }

    private void ask(Optional<LockRecord> seen) {
        Waiter first;
        synchronized (this) {
            if (askingFor != null) {
                askAgain = true;
                return;
            }
            pollTimer.cancel();
            if (waiters.isEmpty()) {
                return;
            }
            seen.ifPresent(this::arrange);
            first = waiters.first();
            askingFor = first;
        }
        var record = seen.isPresent() ? Uni.createFrom().item(seen) : tickets.find(name);
        all.cleanup()
                .follow(
                        record.chain(current -> tickets.ask(first.request(), current)),
                        at -> asked(first, at),
                        failure -> stillWaiting(first, Optional.empty(), failure));
    }

    private void asked(Waiter waiter, Timestamped<AcquireOutcome> at) {
        switch (at.answer()) {
            case AcquireOutcome.Queued queued -> stillWaiting(waiter, Optional.of(queued.record()), null);
            case AcquireOutcome.HeldByAnother held -> stillWaiting(waiter, Optional.empty(), null);
            case AcquireOutcome.ClosedUntil closed -> stillWaiting(waiter, Optional.empty(), null);
            case AcquireOutcome.ReservedForQueue kept -> stillWaiting(waiter, Optional.empty(), null);
            case AcquireOutcome.Granted granted -> decidedInQueue(waiter, at);
            case AcquireOutcome.AlreadyYours yours -> decidedInQueue(waiter, at);
            case AcquireOutcome.QueueFull full -> decidedInQueue(waiter, at);
            case AcquireOutcome.GaveUp gaveUp -> decidedInQueue(waiter, at);
        }
    }

    /** @param doubt why the outcome of its request is unknown; null if it is known */
    private void stillWaiting(Waiter waiter, Optional<LockRecord> record, Throwable doubt) {
        boolean leaves;
        synchronized (this) {
            askingFor = null;
            record.ifPresent(this::arrange);
            leaves = waiter.state != Waiter.State.QUEUED;
            waiter.doubt = doubt;
            if (leaves) {
                remove(waiter);
            }
        }
        if (leaves) {
            left(waiter);
        }
        goOn(leaves);
    }

    private void decidedInQueue(Waiter waiter, Timestamped<AcquireOutcome> at) {
        boolean others;
        synchronized (this) {
            askingFor = null;
            remove(waiter);
            backoff.reset();
            others = at.answer() instanceof AcquireOutcome.Granted
                    && waiters.moveToFront(waiter.request().owner());
        }
        decided(waiter, at);
        goOn(others);
    }

    /** @param moved whether a waiter has left, so that another may be the first now */
    private void goOn(boolean moved) {
        boolean ask;
        synchronized (this) {
            ask = askAgain || moved;
            askAgain = false;
            if (!ask) {
                schedulePoll();
            }
        }
        if (ask) {
            ask(Optional.empty());
        }
    }

    private void schedulePoll() {
        pollTimer.cancel();
        if (askingFor == null && !waiters.isEmpty()) {
            var now = tickets.now();
            pollTimer =
                    after(now.plus(backoff.next(waiters.first(), waiters.record(), now)), () -> ask(Optional.empty()));
        }
    }

    // Leaving

    /** The caller has disconnected, or has just been told. */
    void disconnected(Waiter waiter) {
        synchronized (this) {
            if (!waiter.expectsAnswer()) {
                return;
            }
            waiter.state = Waiter.State.GONE;
        }
        leave(waiter);
    }

    /** Tells all waiters the reason at once, and takes back what they have or get. */
    void dismissAll(Throwable reason) {
        List<Waiter> dismissed;
        List<Waiter> told;
        synchronized (this) {
            dismissed = waiters.all();
            told = dismissed.stream().filter(this::claimAnswer).toList();
        }
        told.forEach(waiter -> waiter.tell(reason));
        dismissed.forEach(this::leave);
    }

    /** Its wait is over. If a request is in flight for it, the outcome is awaited. */
    private void leave(Waiter waiter) {
        synchronized (this) {
            if (waiter.expectsAnswer()) {
                waiter.state = Waiter.State.LEAVING;
            }
            if (askingFor == waiter || !waiters.contains(waiter)) {
                return;
            }
            remove(waiter);
        }
        left(waiter);
        goOn(true);
    }

    /** @return whether the caller is to be told now: it is connected, and has not been told before */
    private synchronized boolean claimAnswer(Waiter waiter) {
        if (!waiter.expectsAnswer()) {
            return false;
        }
        waiter.state = Waiter.State.ANSWERED;
        return true;
    }

    // Ending: the waiter is not in the queue any more

    /** The store has decided its request. */
    private void decided(Waiter waiter, Timestamped<AcquireOutcome> at) {
        var tells = claimAnswer(waiter);
        switch (at.answer()) {
            case AcquireOutcome.Granted granted -> {
                handedOver(granted, waiter, at.now());
                ended(waiter, tells ? WaitListener.End.GRANTED : WaitListener.End.ABANDONED);
            }
            case AcquireOutcome.AlreadyYours yours -> ended(waiter, WaitListener.End.GRANTED);
            case AcquireOutcome.QueueFull full -> {
                tickets.refusedForQueue(name);
                ended(waiter, WaitListener.End.GAVE_UP);
            }
            default -> ended(waiter, WaitListener.End.GAVE_UP);
        }
        // The time that is left of the lease counts from now, not from when the store was asked.
        var received = tells && waiter.tell(new Timestamped<>(at.answer(), tickets.now()));
        // After AlreadyYours its own ticket may be left; after GaveUp an earlier request of it may have been granted
        // the lock.
        var leavesSomething = at.answer() instanceof AcquireOutcome.GaveUp
                || waiter.hadTicket && at.answer() instanceof AcquireOutcome.AlreadyYours;
        if (!received || leavesSomething) {
            withdraw(waiter);
        }
    }

    /** It has left without the lock: its caller is gone or was told, or its wait is over. */
    private void left(Waiter waiter) {
        if (!claimAnswer(waiter)) {
            ended(waiter, WaitListener.End.ABANDONED);
            withdraw(waiter);
        } else if (waiter.doubt != null) {
            ended(waiter, WaitListener.End.FAILED);
            withdrawInDoubt(waiter);
            waiter.tell(waiter.doubt);
        } else {
            ended(waiter, WaitListener.End.GAVE_UP);
            var now = tickets.now();
            LOG.infof(
                    "Lock not granted in time lock=%s lock_id=%s waited_ms=%d",
                    name,
                    waiter.request().id(),
                    Duration.between(waiter.since(), now).toMillis());
            if (now.isBefore(waiter.until())) {
                // The clock was set back meanwhile, so by the clock its ticket is still valid.
                withdraw(waiter);
            }
            waiter.tell(new Timestamped<>(new AcquireOutcome.GaveUp(name, lastRecord()), tickets.now()));
        }
    }

    /** It asked for a ticket, and the store did not answer: it may have one all the same. */
    private void failed(Waiter waiter, Throwable failure) {
        ended(waiter, WaitListener.End.FAILED);
        withdrawInDoubt(waiter);
        if (claimAnswer(waiter)) {
            waiter.tell(failure);
        }
    }

    private void ended(Waiter waiter, WaitListener.End how) {
        if (waiter.hadTicket) {
            all.listener().left(how, Duration.between(waiter.since(), tickets.now()));
        }
        all.ended(this);
    }

    private void handedOver(AcquireOutcome.Granted granted, Waiter waiter, Instant now) {
        tickets.granted(name);
        granted.replaced()
                .flatMap(LockRecord::end)
                .filter(end -> end.at().isAfter(waiter.since()))
                .ifPresent(end -> all.listener().handedOver(Duration.between(end.at(), now)));
    }

    private void withdraw(Waiter waiter) {
        all.withdraw(waiter.request().ref(), waiter.request().attempt(), leaseEnd(waiter));
    }

    private void withdrawInDoubt(Waiter waiter) {
        all.withdrawInDoubt(waiter.request().ref(), waiter.request().attempt(), leaseEnd(waiter));
    }

    /** When a lease that the waiter may have been granted has expired. */
    private Instant leaseEnd(Waiter waiter) {
        var now = tickets.now();
        var latest = now.isAfter(waiter.until()) ? now : waiter.until();
        return latest.plus(waiter.request().ttl());
    }

    // Shared by the above, under the monitor

    private void arrange(LockRecord record) {
        if (waiters.arrange(record, tickets.now())) {
            backoff.reset();
        }
    }

    private void remove(Waiter waiter) {
        waiters.remove(waiter);
        waiter.deadline.cancel();
        if (waiters.isEmpty()) {
            confirmation.stop();
        }
    }

    private synchronized void confirmed(LockRecord record) {
        arrange(record);
    }

    private synchronized Optional<LockRecord> lastRecord() {
        return waiters.record();
    }

    private Timers.Timer after(Instant moment, Runnable task) {
        return all.timers().after(Duration.between(tickets.now(), moment), task);
    }
}
