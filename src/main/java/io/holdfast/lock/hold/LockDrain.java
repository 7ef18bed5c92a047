package io.holdfast.lock.hold;

import io.holdfast.lock.LockLimits;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.lock.queue.LockWaiters;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/** Ends what goes on at this replica for somebody who is connected to it. */
@Singleton
public class LockDrain {
    private final LockWaiters waiters;
    private final HoldService holds;
    private final Cleanup cleanup;
    private final LockLimits limits;

    public LockDrain(LockWaiters waiters, HoldService holds, Cleanup cleanup, LockLimits limits) {
        this.waiters = waiters;
        this.holds = holds;
        this.cleanup = cleanup;
        this.limits = limits;
    }

    /** Does not wait for the end: whoever is connected is told, and the connection ends after that. */
    public void begin() {
        waiters.close();
        holds.close().subscribe().with(told -> {}, failure -> {});
    }

    /** Completes when everything that was left behind here is taken back, or when the time for that is over. */
    public Uni<Void> end() {
        return cleanup.idle()
                .ifNoItem()
                .after(limits.config().cleanupDrainMax())
                .recoverWithItem(() -> null)
                .invoke(cleanup::close);
    }
}
