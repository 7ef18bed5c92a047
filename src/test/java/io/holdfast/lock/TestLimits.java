package io.holdfast.lock;

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
        return service(store, clock, timers, new Keepers(store, clock, timers));
    }

    static LockService service(LockStore store, InstantSource clock, Timers timers, Keepers keepers) {
        return service(store, clock, timers, keepers, new Cleanup(clock, timers, 100));
    }

    static LockService service(LockStore store, InstantSource clock, Timers timers, Keepers keepers, Cleanup cleanup) {
        var watch = new LeaseWatch(System::nanoTime, DEFAULT.config().maxClockSkew(), 100);
        var waiters = new TestWaiters(store, DEFAULT, clock, timers, watch).waiters(WaitListener.NONE, cleanup);
        return new LockService(store, DEFAULT, clock, waiters, watch, keepers);
    }
}
