package io.holdfast.lock;

import java.time.InstantSource;

/** The waiters of one replica, wired as the service wires them. */
public record TestWaiters(LockStore store, LockLimits limits, InstantSource clock, Timers timers, LeaseWatch watch) {
    public LockWaiters waiters(WaitListener listener, Cleanup cleanup) {
        var config = limits.waiting();
        var eviction = new TicketEviction(store, timers, config, watch);
        var tickets = new TicketRequests(store, limits.rules(), config, clock, watch, eviction);
        return new LockWaiters(tickets, config, cleanup, listener, timers);
    }

    public LockService service(LockWaiters waiters) {
        return new LockService(store, limits, clock, waiters, watch, new Keepers(store, clock, timers));
    }
}
