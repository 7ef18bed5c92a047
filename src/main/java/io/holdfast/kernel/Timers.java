package io.holdfast.kernel;

import java.time.Duration;

/** Runs tasks after a delay. A timer that waits blocks no thread. */
public interface Timers {
    /** @param task must not block */
    Timer after(Duration delay, Runnable task);

    interface Timer {
        Timer NONE = () -> {};

        /** Prevents the task from starting. A task that has started is not stopped. */
        void cancel();
    }
}
