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

/**
 * The callers that wait for one lock at this replica, and all changes of their states. Only the first waiter asks the
 * store: at once after a release at this replica, and by polling to notice changes by other replicas. So a hundred
 * waiters cost the store as much as one.
 *
 * <p>At most one request is in flight. Events during the request are handled after its answer. A wake-up causes another
 * request. A waiter whose wait has ended is answered by the outcome of its request, which may have granted the lock.
 */
final class LocalWaitQueue {
    private final LockName name;
    private final LockWaiters lockWaiters;
    private final TicketRequests tickets;
    private final PollBackoff backoff;
    private final TicketConfirmation confirmation;
    private final WaitResults results;

    // Guarded by this, as are the fields of the waiters. Callers are answered outside of the monitor.
    private final OrderedWaiters waiters = new OrderedWaiters();
    /** How many waiters were announced by {@link #expectArrival} and have no answer of the store yet. */
    private int arriving;

    /** How often {@link #wake} was called. */
    private long wakeUps;

    /** The waiter that a request is in flight for; null if there is none. */
    private Waiter askingFor;

    /** Whether {@link #ask} was called during the request in flight. */
    private boolean askAgain;

    private Timers.Timer pollTimer = Timers.Timer.NONE;

    LocalWaitQueue(LockName name, LockWaiters lockWaiters) {
        this.name = name;
        this.lockWaiters = lockWaiters;
        this.tickets = lockWaiters.tickets();
        this.backoff = tickets.backoff();
        this.confirmation = new TicketConfirmation(name, tickets, lockWaiters.timers(), this::confirmed);
        this.results = new WaitResults(name, lockWaiters, () -> lockWaiters.ended(this));
    }

    LockName name() {
        return name;
    }

    /** A waiter is about to {@link #arrive}. From now on the queue is in use and counts wake-ups. */
    synchronized LocalWaitQueue expectArrival() {
        arriving++;
        return this;
    }

    synchronized boolean isUnused() {
        return waiters.isEmpty() && arriving == 0 && askingFor == null;
    }

    // Arriving

    /** The request is not cancelled when the caller disconnects, because its outcome decides what to withdraw. */
    void arrive(Waiter waiter) {
        long wakeUpsBefore;
        synchronized (this) {
            wakeUpsBefore = wakeUps;
        }
        lockWaiters
                .cleanup()
                .follow(
                        tickets.arrive(waiter.request()),
                        outcome -> {
                            if (outcome instanceof AcquireOutcome.Queued queued) {
                                queued(waiter, queued.record(), wakeUpsBefore);
                            } else {
                                arrived();
                                decided(waiter, new Timestamped<>(outcome, waiter.since()));
                            }
                        },
                        failure -> {
                            arrived();
                            results.failed(waiter, failure, claimAnswer(waiter));
                        });
    }

    private synchronized void arrived() {
        arriving--;
    }

    /** @param wakeUpsBefore the count when the waiter asked for its ticket; a wake-up since then applies to it */
    private void queued(Waiter waiter, LockRecord record, long wakeUpsBefore) {
        tickets.observe(record);
        lockWaiters.listener().joined();
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
            ask = wakeUps != wakeUpsBefore;
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
        if (lockWaiters.isClosing()) {
            failAll(LockWaiters.shuttingDown());
        }
    }

    // Asking

    /**
     * The lock may be free now.
     *
     * @param seen the record, if it was just read
     */
    void wake(Optional<LockRecord> seen) {
        synchronized (this) {
            wakeUps++;
        }
        ask(seen);
    }

    /** Reads the record, unless it was just read, and asks for the lock on behalf of the first waiter. */
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
        lockWaiters
                .cleanup()
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
            case AcquireOutcome.ReservedForQueue reserved -> stillWaiting(waiter, Optional.empty(), null);
            case AcquireOutcome.Granted granted -> decidedInQueue(waiter, at);
            case AcquireOutcome.AlreadyHeld yours -> decidedInQueue(waiter, at);
            case AcquireOutcome.QueueFull full -> decidedInQueue(waiter, at);
            case AcquireOutcome.GaveUp gaveUp -> decidedInQueue(waiter, at);
        }
    }

    /** @param doubt the failure of the request, whose outcome is unknown; null if the outcome is known */
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
        askOrPoll(leaves);
    }

    private void decidedInQueue(Waiter waiter, Timestamped<AcquireOutcome> at) {
        boolean othersOfOwner;
        synchronized (this) {
            askingFor = null;
            remove(waiter);
            backoff.reset();
            othersOfOwner = at.answer() instanceof AcquireOutcome.Granted
                    && waiters.moveToFront(waiter.request().owner());
        }
        decided(waiter, at);
        askOrPoll(othersOfOwner);
    }

    /** @param firstChanged whether another waiter may be the first now */
    private void askOrPoll(boolean firstChanged) {
        boolean ask;
        synchronized (this) {
            ask = askAgain || firstChanged;
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

    /** The caller has disconnected, or has just been answered. */
    void disconnected(Waiter waiter) {
        synchronized (this) {
            if (!waiter.expectsAnswer()) {
                return;
            }
            waiter.state = Waiter.State.GONE;
        }
        leave(waiter);
    }

    /** Fails all waiters at once, and withdraws their tickets and grants. */
    void failAll(Throwable reason) {
        List<Waiter> leaving;
        List<Waiter> unanswered;
        synchronized (this) {
            leaving = waiters.all();
            unanswered = leaving.stream().filter(this::claimAnswer).toList();
        }
        unanswered.forEach(waiter -> waiter.fail(reason));
        leaving.forEach(this::leave);
    }

    /** Ends its wait. If a request is in flight for it, the outcome is awaited. */
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
        askOrPoll(true);
    }

    /** The waiter is not in the queue any more, and the store has decided its request. */
    private void decided(Waiter waiter, Timestamped<AcquireOutcome> at) {
        results.decided(waiter, at, claimAnswer(waiter));
    }

    /** The waiter is not in the queue any more, and was not granted the lock. */
    private void left(Waiter waiter) {
        results.left(waiter, claimAnswer(waiter), this::lastRecord);
    }

    /** @return whether the caller is to be answered now: it is connected, and has no answer yet */
    private synchronized boolean claimAnswer(Waiter waiter) {
        if (!waiter.expectsAnswer()) {
            return false;
        }
        waiter.state = Waiter.State.ANSWERED;
        return true;
    }

    // The record and the timers

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
        return lockWaiters.timers().after(Duration.between(tickets.now(), moment), task);
    }
}
