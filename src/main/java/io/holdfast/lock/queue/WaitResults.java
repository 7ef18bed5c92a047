package io.holdfast.lock.queue;

import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Ends the waits of one lock: answers the caller, reports the result to the {@link WaitListener}, and withdraws the
 * ticket or lease that the waiter leaves in the store. {@link LocalWaitQueue} decides when a wait ends, and changes the
 * state.
 *
 * <p>{@code claimed} says whether this result is the answer for the caller. It is false if the caller has disconnected,
 * or was answered before.
 */
final class WaitResults {
    private static final Logger LOG = Logger.getLogger(LocalWaitQueue.class);

    private final LockName name;
    private final LockWaiters lockWaiters;
    private final TicketRequests tickets;
    private final Runnable onEnd;

    /** @param onEnd runs at the end of each wait */
    WaitResults(LockName name, LockWaiters lockWaiters, Runnable onEnd) {
        this.name = name;
        this.lockWaiters = lockWaiters;
        this.tickets = lockWaiters.tickets();
        this.onEnd = onEnd;
    }

    /** The store has granted or refused the lock. */
    void decided(Waiter waiter, Timestamped<AcquireOutcome> at, boolean claimed) {
        switch (at.answer()) {
            case AcquireOutcome.Granted granted -> {
                granted(granted, waiter, at.now());
                ended(waiter, claimed ? WaitListener.End.GRANTED : WaitListener.End.ABANDONED);
            }
            case AcquireOutcome.AlreadyHeld yours -> ended(waiter, WaitListener.End.GRANTED);
            case AcquireOutcome.QueueFull full -> {
                tickets.refusedForQueue(name);
                ended(waiter, WaitListener.End.GAVE_UP);
            }
            case AcquireOutcome.GaveUp gaveUp -> gaveUp(waiter, claimed);
            default -> ended(waiter, WaitListener.End.GAVE_UP);
        }
        // The time left of the lease counts from the answer, not from the request to the store.
        var received = claimed && waiter.answer(new Timestamped<>(at.answer(), tickets.now()));
        // After AlreadyYours the waiter may still have a ticket. After GaveUp an earlier request of it may have been
        // granted the lock.
        var mayBeStored = at.answer() instanceof AcquireOutcome.GaveUp
                || waiter.hadTicket && at.answer() instanceof AcquireOutcome.AlreadyHeld;
        if (!received || mayBeStored) {
            withdraw(waiter);
        }
    }

    /** The waiter has left without the lock: its caller disconnected or was answered, or its wait is over. */
    void left(Waiter waiter, boolean claimed, Supplier<Optional<LockRecord>> lastRecord) {
        if (!claimed) {
            ended(waiter, WaitListener.End.ABANDONED);
            withdraw(waiter);
        } else if (waiter.doubt != null) {
            ended(waiter, WaitListener.End.FAILED);
            withdrawInDoubt(waiter);
            waiter.fail(waiter.doubt);
        } else {
            gaveUp(waiter, true);
            if (tickets.now().isBefore(waiter.until())) {
                // The clock was set back during the wait, so the ticket has not expired yet.
                withdraw(waiter);
            }
            waiter.answer(new Timestamped<>(new AcquireOutcome.GaveUp(name, lastRecord.get()), tickets.now()));
        }
    }

    /** The store did not answer the request for a ticket. The waiter may have one. */
    void failed(Waiter waiter, Throwable failure, boolean claimed) {
        ended(waiter, WaitListener.End.FAILED);
        withdrawInDoubt(waiter);
        if (claimed) {
            waiter.fail(failure);
        }
    }

    private void gaveUp(Waiter waiter, boolean claimed) {
        ended(waiter, claimed ? WaitListener.End.GAVE_UP : WaitListener.End.ABANDONED);
        if (claimed) {
            LOG.infof(
                    "Lock not granted in time lock=%s lock_id=%s waited_ms=%d",
                    name,
                    waiter.request().id(),
                    Duration.between(waiter.since(), tickets.now()).toMillis());
        }
    }

    private void ended(Waiter waiter, WaitListener.End how) {
        if (waiter.hadTicket) {
            lockWaiters.listener().left(how, Duration.between(waiter.since(), tickets.now()));
        }
        onEnd.run();
    }

    private void granted(AcquireOutcome.Granted granted, Waiter waiter, Instant now) {
        tickets.granted(name);
        granted.replaced()
                .flatMap(LockRecord::end)
                .filter(end -> end.at().isAfter(waiter.since()))
                .ifPresent(end -> lockWaiters.listener().handedOver(Duration.between(end.at(), now)));
    }

    private void withdraw(Waiter waiter) {
        lockWaiters.withdraw(waiter.request().ref(), waiter.request().attempt(), leaseEnd(waiter));
    }

    private void withdrawInDoubt(Waiter waiter) {
        lockWaiters.withdrawInDoubt(waiter.request().ref(), waiter.request().attempt(), leaseEnd(waiter));
    }

    /** When a lease that the waiter may have been granted has expired. */
    private Instant leaseEnd(Waiter waiter) {
        var now = tickets.now();
        var latest = now.isAfter(waiter.until()) ? now : waiter.until();
        return latest.plus(waiter.request().ttl());
    }
}
