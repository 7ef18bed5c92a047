package io.holdfast.lock.sweep;

import io.holdfast.lock.port.LockStatistics;
import java.time.Instant;

/** Hears how each sweep at this replica ended. Must not block or throw. */
public interface SweepListener {
    SweepListener NONE = new SweepListener() {
        @Override
        public void counted(LockStatistics statistics, Instant at) {}

        @Override
        public void notCounted() {}
    };

    /** The sweep came to its end, and this is what all locks together looked like. */
    void counted(LockStatistics statistics, Instant at);

    /**
     * The sweep saw nothing, or not everything: another replica is at it, it was cut short, it failed, or the clock is
     * off. What was counted here before is of the past, and nobody here knows what it is now.
     */
    void notCounted();
}
