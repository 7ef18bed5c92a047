package io.holdfast.lock.queue;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.LockLimits;
import io.holdfast.lock.LockService;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.port.LockStore;
import java.time.InstantSource;

/** The waiters of one replica, wired as the service wires them. */
public record TestWaiters(LockStore store, LockLimits limits, InstantSource clock, Timers timers, LeaseObserver watch) {
    public LockWaiters waiters(WaitListener listener, Cleanup cleanup) {
        var config = limits.waiting();
        var eviction = new TicketEviction(store, timers, config, watch);
        var tickets = new TicketRequests(store, limits.rules(), config, clock, watch, eviction);
        return new LockWaiters(tickets, config, cleanup, listener, timers);
    }

    public LockService service(LockWaiters waiters) {
        return new LockService(store, limits, clock, waiters, watch, new LeaseRenewers(store, clock, timers));
    }
}
