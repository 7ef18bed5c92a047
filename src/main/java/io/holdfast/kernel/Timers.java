package io.holdfast.kernel;

import java.time.Duration;

/** Lets something happen later. Who waits for a timer holds no thread. */
public interface Timers {
    /** @param task must not block */
    Timer after(Duration delay, Runnable task);

    interface Timer {
        Timer NONE = () -> {};

        /** Keeps the task from beginning; one that has begun is not stopped. */
        void cancel();
    }
}
