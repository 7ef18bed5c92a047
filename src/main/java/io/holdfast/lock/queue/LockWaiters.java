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
 * All callers that wait for a lock at this replica, in one {@link LocalWaitQueue} per lock. The store decides the
 * order: a waiter has a ticket in the lock's record, and the write that grants the lock checks the tickets. The local
 * queues only decide when to ask the store.
 *
 * <p>A waiting caller blocks no thread. A caller that disconnects leaves the queue. If the lock is granted to it at the
 * same time, the grant is withdrawn.
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

    /** Asks for the lock, and waits for at most {@code wait} until it is granted. */
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
                    .invoke(() -> waiting.get().markDelivered());
        });
    }

    private Optional<LocalWaitQueue> enter(Waiter waiter) {
        var name = waiter.request().name();
        if (closing) {
            waiter.fail(shuttingDown());
            return Optional.empty();
        }
        if (callers.incrementAndGet() > config.callersMax()) {
            var full = new AcquireOutcome.QueueFull(name, callers.decrementAndGet(), WaitConfig.CALLERS_MAX);
            listener.refused();
            waiter.answer(new Timestamped<>(full, waiter.since()));
            return Optional.empty();
        }
        return Optional.of(queues.compute(
                name, (key, known) -> (known == null ? new LocalWaitQueue(name, this) : known).expectArrival()));
    }

    /**
     * The lock was released at this replica. Its first waiter asks for it at once, without waiting for the next poll.
     *
     * @param record the record after the release, if known
     */
    public void released(LockName name, Optional<LockRecord> record) {
        Optional.ofNullable(queues.get(name)).ifPresent(queue -> queue.wake(record));
    }

    /** A caller without {@code wait} was refused because of the queue. */
    public void refusedForQueue(LockName name) {
        tickets.refusedForQueue(name);
    }

    /** Fails all waiters because the service is shutting down, withdraws their tickets, and refuses new waiters. */
    public void close() {
        closing = true;
        queues.values().forEach(queue -> queue.failAll(shuttingDown()));
    }

    boolean isClosing() {
        return closing;
    }

    static StoreUnavailableException shuttingDown() {
        return new StoreUnavailableException("The service is shutting down and accepts no waiting requests.");
    }

    /**
     * Removes the attempt's ticket, or releases its lease. Retried until the store answers or the lease has expired.
     */
    public Uni<Void> withdraw(LeaseRef request, AttemptId attempt, Instant until) {
        return cleanup.run(request.name(), until, () -> withdrawNow(request, attempt));
    }

    /**
     * As {@link #withdraw}, for an attempt that the store did not answer. Withdraws again after the longest delay of a
     * request, because the store may execute the attempt until then.
     */
    public Uni<Void> withdrawInDoubt(LeaseRef request, AttemptId attempt, Instant until) {
        cleanup.repeatAfter(LockRules.LATE_MAX, request.name(), until, () -> withdrawNow(request, attempt));
        return withdraw(request, attempt, until);
    }

    private Uni<WithdrawOutcome> withdrawNow(LeaseRef request, AttemptId attempt) {
        return tickets.withdraw(request, attempt).invoke(() -> released(request.name(), Optional.empty()));
    }

    /** A waiter of this queue has been answered, or its caller is gone. */
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
