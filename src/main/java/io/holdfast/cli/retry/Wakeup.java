package io.holdfast.cli.retry;

import java.util.concurrent.TimeUnit;

/** Wakes a thread that waits for one of several events. Thread-safe. */
public final class Wakeup {
    private boolean pending;

    /** Ends the current or the next {@link #await}. */
    public synchronized void wake() {
        pending = true;
        notifyAll();
    }

    /** Blocks until something may have changed, at most for the given time. */
    public synchronized void await(long nanosMax) throws InterruptedException {
        if (!pending && nanosMax > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, nanosMax);
        }
        pending = false;
    }
}
