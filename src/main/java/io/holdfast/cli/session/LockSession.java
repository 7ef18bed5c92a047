package io.holdfast.cli.session;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.lock.LockBody;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The life cycle of the locks of one command: acquires them, keeps them, notices a loss, releases them. {@code exec} and
 * {@code locks hold} differ only in what they do meanwhile. Signals may arrive on any thread.
 */
public final class LockSession implements AutoCloseable {
    private enum Phase {
        /** A signal cancels the session. */
        ACQUIRING,
        /** A signal is for the command. */
        IN_USE,
        /** The second signal ends the process at once. */
        RELEASING
    }

    private final ApiCommand command;
    private final LockRequest request;
    private final Cancellation cancellation = new Cancellation();
    private Phase phase = Phase.ACQUIRING;
    private volatile boolean stopRequested;
    private List<LockBody> leases;
    private LeaseMonitor monitor;

    public LockSession(ApiCommand command, LockRequest request) {
        this.command = command;
        this.request = request;
    }

    /**
     * Acquires the locks and opens the connections that keep them.
     *
     * @param safetyMargin an unconfirmed lease counts as lost this long before it expires
     * @throws CliException if the locks are not granted within the wait, if a signal arrives, or if the owner already holds a
     *     lock by another acquisition
     */
    public AcquiredLocks acquire(Duration wait, Duration safetyMargin) {
        return acquire(wait, safetyMargin, Phase.ACQUIRING);
    }

    /** As {@link #acquire(Duration, Duration)}, for a command that uses the locks as soon as they are acquired. */
    public AcquiredLocks acquireAndBegin(Duration wait, Duration safetyMargin) {
        return acquire(wait, safetyMargin, Phase.IN_USE);
    }

    private AcquiredLocks acquire(Duration wait, Duration safetyMargin, Phase next) {
        var acquired = LockAcquirer.acquire(command, request, wait, cancellation);
        for (var lock : acquired.locks()) {
            if (!lock.lockId().equals(request.lockId())) {
                throw cleanedUp(new CliException(
                        Exit.REFUSED,
                        "%s already holds '%s' by another acquisition; each run needs its own owner."
                                .formatted(request.owner(), lock.name())));
            }
        }
        if (!keep(acquired, safetyMargin, next)) {
            throw cleanedUp(cancellation.failure());
        }
        return acquired;
    }

    /** A signal is handled before or after this. @return false if one has cancelled the session before */
    private synchronized boolean keep(AcquiredLocks acquired, Duration safetyMargin, Phase next) {
        if (cancellation.isRequested()) {
            return false;
        }
        leases = acquired.locks();
        monitor = LeaseMonitor.start(command.api(), acquired, safetyMargin, command.outages());
        phase = next;
        return true;
    }

    /**
     * Returns when a connection holds each lease, when a lease is lost, or when a signal has arrived. A lock that is released
     * earlier could be acquired again by a hold request that is still pending.
     */
    public void awaitAllHeld() throws InterruptedException {
        monitor.awaitAllHeld(() -> stopRequested || cancellation.isRequested());
    }

    /**
     * Begins the use of the locks, unless a signal has cancelled the session. A signal that arrives during the start is
     * handled after it. If the start fails, the locks are released.
     */
    public void begin(Runnable start) {
        try {
            beginUnlessCancelled(start);
        } catch (CliException notStarted) {
            throw cleanedUp(notStarted);
        }
    }

    private synchronized void beginUnlessCancelled(Runnable start) {
        if (cancellation.isRequested()) {
            throw cancellation.failure();
        }
        start.run();
        phase = Phase.IN_USE;
    }

    /** @param forCommand handles the signal while the locks are in use */
    public synchronized void signalled(int number, Runnable forCommand) {
        switch (phase) {
            case ACQUIRING -> {
                cancellation.request(number);
                if (monitor != null) {
                    monitor.changed();
                }
            }
            case IN_USE -> forCommand.run();
            case RELEASING -> requestStop(number);
        }
    }

    /** The second request ends the process at once: the service sees the disconnect and releases the locks. */
    public synchronized void requestStop(int signalNumber) {
        if (stopRequested) {
            Runtime.getRuntime().halt(Exit.SIGNALLED + signalNumber);
        }
        stopRequested = true;
        monitor.changed();
    }

    public boolean isStopRequested() {
        return stopRequested;
    }

    /** Why a lock is lost, or must be given up because its lease was not confirmed in time. */
    public Optional<String> loss() {
        return monitor.loss();
    }

    /** Blocks until something may have changed, at most for the given time. */
    public void await(Duration atMost) throws InterruptedException {
        monitor.await(atMost);
    }

    /** Ends the current or the next {@link #await}. */
    public void wakeUp() {
        monitor.changed();
    }

    /**
     * From now on ignores losses. The connections stay open until {@link #close()}, because the service releases a lease when
     * its connection ends.
     *
     * @return the loss, if there was one before
     */
    public Optional<String> stopMonitoring() {
        monitor.stopMonitoring();
        return monitor.loss();
    }

    /** @return false if a lock was lost before it was released */
    public boolean release() throws InterruptedException {
        beginRelease();
        return new LockReleaser(command.api(), request, leases).release(command.holdfast()::note, monitor);
    }

    /** Releases the locks that are still held after one was lost. Does not report failures. */
    public void cleanUp() {
        beginRelease();
        LockReleaser.releaseQuietly(command.api(), request);
    }

    private synchronized void beginRelease() {
        monitor.stopMonitoring();
        phase = Phase.RELEASING;
    }

    /** Releases the locks, and returns the failure to throw. */
    private CliException cleanedUp(CliException failure) {
        LockReleaser.releaseQuietly(command.api(), request);
        return failure;
    }

    @Override
    public void close() {
        if (monitor != null) {
            monitor.close();
        }
    }
}
