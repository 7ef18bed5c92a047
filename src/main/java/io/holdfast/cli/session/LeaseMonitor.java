package io.holdfast.cli.session;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.OutageNotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Keeps all leases of one wish. They are lost as soon as one of them is. Safe for concurrent use. */
public final class LeaseMonitor implements AutoCloseable {
    /** However long nothing happens. */
    private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    private final Duration headroom;
    private final OutageNotes outages;
    private final List<LeaseConnection> leases = new ArrayList<>();
    private final List<Thread> keepers = new ArrayList<>();
    private volatile boolean over;
    private boolean closed;
    private String loss;
    private boolean changed;

    /** @param headroom so long before its end, a lease that nobody confirms counts as lost */
    private LeaseMonitor(Duration headroom, OutageNotes outages) {
        this.headroom = headroom;
        this.outages = outages;
    }

    /** @param outages hears when the service is away, and when it is back */
    public static LeaseMonitor keeping(
            ApiClient api, LockAcquirer.Taken taken, Duration headroom, OutageNotes outages) {
        var monitor = new LeaseMonitor(headroom, outages);
        for (var lock : taken.locks()) {
            var deadline = taken.confirmedNanos() + TimeUnit.MILLISECONDS.toNanos(lock.remainingMs());
            var lease = new LeaseConnection(api, lock, deadline, monitor);
            monitor.leases.add(lease);
            monitor.keepers.add(
                    Thread.ofPlatform().daemon().name("keeper-" + lock.name()).start(lease));
        }
        return monitor;
    }

    /** The service does not keep this lease at the moment. */
    void away(LeaseConnection lease) {
        var left = lease.deadlineNanos() - headroom.toNanos() - System.nanoTime();
        outages.away(lease.name(), lease.trouble(), Duration.ofNanos(Math.max(0, left)));
    }

    /** The service keeps this lease again, or still. */
    void back(LeaseConnection lease) {
        outages.back(lease.name());
    }

    boolean isOver() {
        return over;
    }

    /** Once lost, they stay lost. */
    synchronized void lost(String sentence) {
        if (loss == null && !over) {
            loss = sentence;
        }
        changed();
    }

    /** Whoever waits looks again; and so does whoever is about to. */
    public synchronized void changed() {
        changed = true;
        notifyAll();
    }

    /** Why they are not ours any more, or may soon not be. */
    public synchronized Optional<String> loss() {
        if (loss == null) {
            leases.stream()
                    .filter(lease -> lease.deadlineNanos() - System.nanoTime() <= headroom.toNanos())
                    .findFirst()
                    .ifPresent(late -> loss = "Lock '%s' was not confirmed in time. %s"
                            .formatted(late.name(), late.trouble())
                            .strip());
        }
        return Optional.ofNullable(loss);
    }

    /**
     * Until every lease is held by a connection, or one is lost. Whoever gave them back earlier could be overtaken by a
     * connection that takes them anew.
     *
     * @param enough ends it before that; whatever makes it true calls {@link #changed()}
     */
    public void awaitHeld(BooleanSupplier enough) throws InterruptedException {
        while (!enough.getAsBoolean() && loss().isEmpty() && !leases.stream().allMatch(LeaseConnection::isHeld)) {
            await(LOOK_EVERY);
        }
    }

    /** Until something may have changed, or nobody has confirmed a lease for too long. */
    public synchronized void await(Duration atMost) throws InterruptedException {
        var earliest =
                leases.stream().mapToLong(LeaseConnection::deadlineNanos).min().orElseThrow();
        var left = Math.min(atMost.toNanos(), earliest - headroom.toNanos() - System.nanoTime());
        if (loss == null && left > 0 && !changed) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        changed = false;
    }

    /** What is left of them at the least. */
    Duration remaining() {
        var earliest =
                leases.stream().mapToLong(LeaseConnection::deadlineNanos).min().orElseThrow();
        return Duration.ofNanos(Math.max(0, earliest - System.nanoTime()));
    }

    /** Whether a lease that is given back now may be taken anew, by a request that the service has not come to yet. */
    boolean isAsking() {
        return leases.stream().anyMatch(LeaseConnection::isAsking);
    }

    /** Hears nothing any more, and asks for nothing. The connections stay: to end one is to give its lease back. */
    public void dismiss() {
        over = true;
    }

    /** Until the connections may end. */
    synchronized void awaitClose() throws InterruptedException {
        while (!closed) {
            wait();
        }
    }

    @Override
    public synchronized void close() {
        over = true;
        closed = true;
        notifyAll();
        keepers.forEach(Thread::interrupt);
    }
}
