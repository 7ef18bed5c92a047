package io.holdfast.lock.sweep;

import io.holdfast.lock.port.LockStatistics;
import java.time.Instant;

/** Receives the result of each sweep at this replica. Must not block or throw. */
public interface SweepListener {
    SweepListener NONE = new SweepListener() {
        @Override
        public void counted(LockStatistics statistics, Instant at) {}

        @Override
        public void notCounted() {}
    };

    /** The sweep has examined all records. */
    void counted(LockStatistics statistics, Instant at);

    /**
     * The sweep has not examined all records: another replica sweeps, it was interrupted, it failed, or the local clock
     * is suspect. Earlier statistics of this replica are out of date.
     */
    void notCounted();
}
