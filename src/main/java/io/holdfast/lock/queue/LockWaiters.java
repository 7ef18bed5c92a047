package io.holdfast.lock.queue;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.Timers;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.WithdrawOutcome;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * All callers that wait for a lock at this replica, in one {@link LocalWaitQueue} per lock. The order of waiters is the
 * store's: a place is a ticket in the lock's record, and the write that grants the lock checks whose turn it is. The queues
 * here only decide when to ask.
 *
 * <p>A waiting caller holds no thread. A caller that disconnects leaves the queue; if the lock was granted to it at that
 * moment, the grant is withdrawn.
 */
@Singleton
public class LockWaiters {
    private final TicketRequests tickets;
    private final WaitConfig config;
    private final Cleanup cleanup;
    private final WaitListener listener;
    private final Timers timers;
    private final Map<LockName, LocalWaitQueue> queues = new ConcurrentHashMap<>();
    private final AtomicInteger callers = new AtomicInteger();
    private volatile boolean closing;

    public LockWaiters(
            TicketRequests tickets, WaitConfig config, Cleanup cleanup, WaitListener listener, Timers timers) {
        this.tickets = tickets;
        this.config = config;
        this.cleanup = cleanup;
        this.listener = listener;
        this.timers = timers;
    }

    /** Asks for the lock and waits until it is granted, at most for {@code wait}. */
    public Uni<Timestamped<AcquireOutcome>> acquire(AcquireRequest request, Duration wait) {
        return Uni.createFrom().deferred(() -> {
            var waiting = new AtomicReference<Waiter>();
            var arrival = tickets.arriving(request, wait);
            return Uni.createFrom()
                    .<Timestamped<AcquireOutcome>>emitter(caller -> {
                        var waiter = new Waiter(arrival, caller);
                        waiting.set(waiter);
                        enter(waiter).ifPresent(queue -> {
                            caller.onTermination(() -> queue.disconnected(waiter));
                            queue.arrive(waiter);
                        });
                    })
                    .invoke(() -> waiting.get().delivered());
        });
    }

    private Optional<LocalWaitQueue> enter(Waiter waiter) {
        var name = waiter.request().name();
        if (closing) {
            waiter.tell(shuttingDown());
            return Optional.empty();
        }
        if (callers.incrementAndGet() > config.callersMax()) {
            var full = new AcquireOutcome.QueueFull(name, callers.decrementAndGet(), WaitConfig.CALLERS_MAX);
            listener.turnedAway();
            waiter.tell(new Timestamped<>(full, waiter.since()));
            return Optional.empty();
        }
        return Optional.of(queues.compute(
                name, (key, known) -> (known == null ? new LocalWaitQueue(name, this) : known).expectOne()));
    }

    /**
     * The lock was released at this replica: its first waiter need not wait for the next poll.
     *
     * @param record as it is now, if known
     */
    public void released(LockName name, Optional<LockRecord> record) {
        Optional.ofNullable(queues.get(name)).ifPresent(queue -> queue.wake(record));
    }

    /** A caller that does not wait was refused because of the queue. */
    public void refusedForQueue(LockName name) {
        tickets.refusedForQueue(name);
    }

    /** Answers all waiters that the service is shutting down, withdraws their tickets, and refuses new ones. */
    public void close() {
        closing = true;
        queues.values().forEach(queue -> queue.dismissAll(shuttingDown()));
    }

    boolean isClosing() {
        return closing;
    }

    static StoreUnavailableException shuttingDown() {
        return new StoreUnavailableException("The service is shutting down, and nobody waits here any more.");
    }

    /** Takes back the attempt's ticket or lease. Retried until the store answers, or until there is nothing left. */
    public Uni<Void> withdraw(LeaseRef request, AttemptId attempt, Instant until) {
        return cleanup.run(request.name(), until, () -> withdrawn(request, attempt));
    }

    /** As {@link #withdraw}, and once more when the request cannot be on its way to the store any longer. */
    public Uni<Void> withdrawInDoubt(LeaseRef request, AttemptId attempt, Instant until) {
        cleanup.onceMoreAfter(LockRules.LATE_MAX, request.name(), until, () -> withdrawn(request, attempt));
        return withdraw(request, attempt, until);
    }

    private Uni<WithdrawOutcome> withdrawn(LeaseRef request, AttemptId attempt) {
        return tickets.withdraw(request, attempt).invoke(() -> released(request.name(), Optional.empty()));
    }

    /** A waiter of this queue has been answered or is gone. */
    void ended(LocalWaitQueue queue) {
        callers.decrementAndGet();
        queues.computeIfPresent(queue.name(), (name, known) -> known == queue && queue.isUnused() ? null : known);
    }

    TicketRequests tickets() {
        return tickets;
    }

    public Cleanup cleanup() {
        return cleanup;
    }

    WaitListener listener() {
        return listener;
    }

    Timers timers() {
        return timers;
    }
}
