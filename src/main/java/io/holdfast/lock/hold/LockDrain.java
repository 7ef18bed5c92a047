package io.holdfast.lock.hold;

import io.holdfast.lock.LockLimits;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.lock.queue.LockWaiters;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/** Ends the waits and holds of this replica at shutdown. */
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

    /** Tells all connected clients. Returns before their connections have ended. */
    public void begin() {
        waiters.close();
        holds.close().subscribe().with(told -> {}, failure -> {});
    }

    /** Completes when the clean-up has ended, or after {@code cleanup-drain-max}. */
    public Uni<Void> end() {
        return cleanup.idle()
                .ifNoItem()
                .after(limits.config().cleanupDrainMax())
                .recoverWithItem(() -> null)
                .invoke(cleanup::close);
    }
}
