package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.OutageNotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Keeps all leases of one request, each by a {@link LeaseConnection}. When one of them is lost, all count as lost.
 * Thread-safe.
 */
final class LeaseMonitor implements AutoCloseable {
    private static final Duration CHECK_EVERY = Duration.ofMinutes(1);

    private final Duration safetyMargin;
    private final OutageNotes outages;
    private final List<LeaseConnection> leases = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;
    private boolean closed;
    private String loss;
    private boolean changed;

    private LeaseMonitor(Duration safetyMargin, OutageNotes outages) {
        this.safetyMargin = safetyMargin;
        this.outages = outages;
    }

    /**
     * @param safetyMargin an unconfirmed lease counts as lost this long before it expires
     * @param outages reports when the service cannot be reached, and when it is back
     */
    static LeaseMonitor start(ApiClient api, AcquiredLocks acquired, Duration safetyMargin, OutageNotes outages) {
        var monitor = new LeaseMonitor(safetyMargin, outages);
        for (var lock : acquired.locks()) {
            var deadline = acquired.confirmedNanos() + TimeUnit.MILLISECONDS.toNanos(lock.remainingMs());
            var lease = new LeaseConnection(api, lock, deadline, monitor);
            monitor.leases.add(lease);
            monitor.threads.add(
                    Thread.ofPlatform().daemon().name("lease-" + lock.name()).start(lease));
        }
        return monitor;
    }

    void disconnected(LeaseConnection lease) {
        var left = lease.deadlineNanos() - safetyMargin.toNanos() - System.nanoTime();
        outages.disconnected(lease.name(), lease.lastFailure(), Duration.ofNanos(Math.max(0, left)));
    }

    void connected(LeaseConnection lease) {
        outages.reconnected(lease.name());
    }

    boolean isStopped() {
        return stopped;
    }

    /** Only the first loss counts. */
    synchronized void lost(String sentence) {
        if (loss == null && !stopped) {
            loss = sentence;
        }
        changed();
    }

    /** Something may have changed. Ends the current or the next {@link #await}. */
    synchronized void changed() {
        changed = true;
        notifyAll();
    }

    /** Why a lock is lost, or must be given up because its lease was not confirmed in time. */
    synchronized Optional<String> loss() {
        if (loss == null) {
            leases.stream()
                    .filter(lease -> lease.deadlineNanos() - System.nanoTime() <= safetyMargin.toNanos())
                    .findFirst()
                    .ifPresent(late -> loss = "Lock '%s' was not confirmed in time. %s"
                            .formatted(late.name(), late.lastFailure())
                            .strip());
        }
        return Optional.ofNullable(loss);
    }

    /**
     * Returns when each lease has been held by a connection, or when a lease is lost.
     *
     * @param enough ends the wait earlier; {@link #changed()} must be called when it becomes true
     */
    void awaitAllHeld(BooleanSupplier enough) throws InterruptedException {
        while (!enough.getAsBoolean() && loss().isEmpty() && !leases.stream().allMatch(LeaseConnection::hasHeld)) {
            await(CHECK_EVERY);
        }
    }

    /** Blocks until something may have changed or a lease may be lost, at most for the given time. */
    synchronized void await(Duration atMost) throws InterruptedException {
        var left = Math.min(atMost.toNanos(), earliestDeadline() - safetyMargin.toNanos() - System.nanoTime());
        if (loss == null && left > 0 && !changed) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        changed = false;
    }

    /** The time until the first of the leases expires. */
    Duration remaining() {
        return Duration.ofNanos(Math.max(0, earliestDeadline() - System.nanoTime()));
    }

    private long earliestDeadline() {
        return leases.stream().mapToLong(LeaseConnection::deadlineNanos).min().orElseThrow();
    }

    /** Whether a hold request is pending. The service could acquire a lock again for it after the release. */
    boolean hasPendingRequest() {
        return leases.stream().anyMatch(LeaseConnection::hasPendingRequest);
    }

    /** From now on ignores losses and opens no connections. Open connections stay open until {@link #close()}. */
    void stopMonitoring() {
        stopped = true;
    }

    synchronized void awaitClose() throws InterruptedException {
        while (!closed) {
            wait();
        }
    }

    @Override
    public synchronized void close() {
        stopped = true;
        closed = true;
        notifyAll();
        threads.forEach(Thread::interrupt);
    }
}
