package io.holdfast.lock;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.lock.queue.LeaseObserver;
import io.holdfast.lock.queue.TestWaiters;
import io.holdfast.lock.queue.WaitListener;
import io.holdfast.lock.queue.WaitSettings;
import java.time.InstantSource;

/** The default limits, and a service with them, for tests of other capabilities. */
public final class TestLimits {
    public static final LockLimits DEFAULT = new LockLimits(new LockSettings(), WaitSettings.DEFAULT);

    private TestLimits() {}

    /** Nobody waits here: its timers never go off. */
    public static LockService service(LockStore store, InstantSource clock) {
        return service(store, clock, (delay, task) -> Timers.Timer.NONE);
    }

    static LockService service(LockStore store, InstantSource clock, Timers timers) {
        return service(store, clock, timers, new LeaseRenewers(store, clock, timers));
    }

    public static LockService service(LockStore store, InstantSource clock, Timers timers, LeaseRenewers renewers) {
        return service(store, clock, timers, renewers, new Cleanup(clock, timers, 100));
    }

    public static LockService service(
            LockStore store, InstantSource clock, Timers timers, LeaseRenewers renewers, Cleanup cleanup) {
        var observer = new LeaseObserver(System::nanoTime, DEFAULT.config().maxClockSkew(), 100);
        var waiters = new TestWaiters(store, DEFAULT, clock, timers, observer).waiters(WaitListener.NONE, cleanup);
        return new LockService(store, DEFAULT, clock, waiters, observer, renewers);
    }
}
