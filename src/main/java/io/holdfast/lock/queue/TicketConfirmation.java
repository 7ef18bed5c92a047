package io.holdfast.lock.queue;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Confirms the tickets of one lock's waiters at this replica at regular intervals, with one write for all of them.
 * Other replicas remove tickets that are not confirmed.
 */
final class TicketConfirmation {
    private final LockName name;
    private final TicketRequests tickets;
    private final Timers timers;
    private final Consumer<LockRecord> confirmed;

    private boolean running;
    private Timers.Timer timer = Timers.Timer.NONE;

    /** @param confirmed receives the record after each confirmation */
    TicketConfirmation(LockName name, TicketRequests tickets, Timers timers, Consumer<LockRecord> confirmed) {
        this.name = name;
        this.tickets = tickets;
        this.timers = timers;
        this.confirmed = confirmed;
    }

    synchronized void start() {
        if (!running) {
            running = true;
            schedule(tickets.confirmEvery());
        }
    }

    synchronized void stop() {
        running = false;
        timer.cancel();
    }

    private void schedule(Duration pause) {
        timer.cancel();
        timer = timers.after(pause, this::confirm);
    }

    private void confirm() {
        synchronized (this) {
            if (!running) {
                return;
            }
            schedule(tickets.confirmEvery());
        }
        tickets.confirmTickets(name).subscribe().with(record -> record.ifPresent(confirmed), failure -> retry());
    }

    /** Retries soon, so that the tickets are confirmed shortly after an outage of the store. */
    private synchronized void retry() {
        if (running) {
            schedule(tickets.confirmRetryAfter());
        }
    }
}
