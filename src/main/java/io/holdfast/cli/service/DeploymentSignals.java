package io.holdfast.cli.service;

import io.holdfast.cli.output.Exit;
import io.holdfast.cli.process.ChildProcess;
import io.holdfast.cli.process.Foreground;
import io.holdfast.cli.retry.Wakeup;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Passes signals on to the command of a deployment. The second signal to stop, and the first one during the report, is urgent:
 * the command is to be killed, and the report gets little time. The next one ends the process. Thread-safe.
 */
final class DeploymentSignals {
    private static final Set<String> STOP_SIGNALS = Set.of("HUP", "INT", "QUIT", "TERM");

    /** Longest time for a request after the urgent signal. */
    private static final Duration URGENT_MAX = Duration.ofSeconds(2);

    private final Wakeup wakeup;
    private volatile boolean starting;
    private ChildProcess child;
    private boolean requested;
    private boolean urgent;
    private boolean reporting;
    private int lastSignal;
    private long urgentNanos;

    /** @param wakeup woken after each signal */
    DeploymentSignals(Wakeup wakeup) {
        this.wakeup = wakeup;
    }

    void received(String name, int number) {
        // A terminal sends Ctrl-C to the child too. During its start it is unknown whether it has got it; see
        // ExecCommand.
        var delivered = starting && Foreground.receives(name);
        synchronized (this) {
            if (STOP_SIGNALS.contains(name)) {
                count(number);
            }
            if (child != null) {
                child.signal(name, delivered);
            }
        }
        wakeup.wake();
    }

    private void count(int number) {
        if (urgent) {
            Runtime.getRuntime().halt(Exit.SIGNALLED + number);
        }
        if (requested || reporting) {
            urgent = true;
            urgentNanos = System.nanoTime();
        }
        requested = true;
        lastSignal = number;
    }

    /** Starts a child unless it is not wanted any more. A signal comes before the start, or is passed on to the child. */
    synchronized Optional<ChildProcess> start(boolean isWantedAfterSignal, Supplier<ChildProcess> process) {
        if (urgent || requested && !isWantedAfterSignal) {
            return Optional.empty();
        }
        starting = true;
        try {
            child = process.get();
        } finally {
            starting = child != null;
        }
        return Optional.of(child);
    }

    /** From now on, signals are not passed on. */
    synchronized void childEnded() {
        child = null;
        starting = false;
    }

    synchronized void beginReport() {
        reporting = true;
        if (urgent) {
            urgentNanos = System.nanoTime();
        }
    }

    synchronized boolean isRequested() {
        return requested;
    }

    synchronized boolean isUrgent() {
        return urgent;
    }

    /** The time left for a request. Long if there is no hurry. */
    synchronized long nanosLeft() {
        return urgent ? urgentNanos + URGENT_MAX.toNanos() - System.nanoTime() : Long.MAX_VALUE;
    }

    /** As if the last signal had ended the process. */
    synchronized int exit() {
        return Exit.SIGNALLED + lastSignal;
    }
}
