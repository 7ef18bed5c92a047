package io.holdfast.cli.work;

import io.holdfast.cli.output.Exit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Whether the worker is to stop. The first request lets handlers end by themselves for a while, the second one kills them, and
 * the third one ends the process. Thread-safe.
 */
final class WorkerStop {
    private static final int NO_SIGNAL = 0;

    /** Longest time for a report after the second request. */
    private static final Duration URGENT_REPORT_MAX = Duration.ofSeconds(2);

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private int requests;
    private int lastSignal = NO_SIGNAL;
    private boolean delivered;
    private long requestedNanos;
    private long urgentNanos;

    /** @param listener called after each request, on the thread of the request */
    void onRequest(Runnable listener) {
        listeners.add(listener);
    }

    /** @param reachedHandlers whether the handlers have received the signal too, such as Ctrl-C from a terminal */
    void signalled(int signal, boolean reachedHandlers) {
        if (count(signal, reachedHandlers) > 2) {
            Runtime.getRuntime().halt(Exit.SIGNALLED + signal);
        }
        listeners.forEach(Runnable::run);
    }

    /** The worker cannot go on. */
    void request() {
        if (!isRequested()) {
            count(NO_SIGNAL, false);
            listeners.forEach(Runnable::run);
        }
    }

    private synchronized int count(int signal, boolean reachedHandlers) {
        if (requests == 0) {
            requestedNanos = System.nanoTime();
        }
        if (requests == 1) {
            urgentNanos = System.nanoTime();
        }
        requests++;
        lastSignal = signal;
        delivered = delivered || reachedHandlers;
        return requests;
    }

    synchronized boolean isRequested() {
        return requests > 0;
    }

    synchronized boolean isUrgent() {
        return requests > 1;
    }

    /** Whether a handler that ends with a failure may have ended because of the signal. */
    synchronized boolean hasReachedHandlers() {
        return delivered;
    }

    /** The time until handlers are stopped. Long if the worker is not to stop. */
    synchronized long nanosLeft(Duration grace) {
        if (requests == 0) {
            return Long.MAX_VALUE;
        }
        return requests > 1 ? 0 : Math.max(0, requestedNanos + grace.toNanos() - System.nanoTime());
    }

    /** The time left for a report: unlimited while the worker is not to stop. */
    synchronized long reportNanosLeft(long begunNanos, Duration grace) {
        if (requests == 0) {
            return Long.MAX_VALUE;
        }
        var until = requests > 1
                ? later(urgentNanos, begunNanos) + URGENT_REPORT_MAX.toNanos()
                : later(requestedNanos, begunNanos) + grace.toNanos();
        return until - System.nanoTime();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** 0 after a clean stop, else as if the last signal had ended the process. */
    synchronized int exit() {
        return requests > 1 ? Exit.SIGNALLED + lastSignal : Exit.DONE;
    }
}
