package io.holdfast.lock.hold;

import io.holdfast.kernel.Timers;
import io.holdfast.lock.keepalive.LeaseRenewers;
import io.holdfast.lock.model.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** Sends ticks to the client of one hold, and detects a client that does not read them. Thread-safe. */
final class HoldTicks {
    /** A client that has not read this many ticks in a row counts as gone. */
    static final int STALLED_MAX = 3;

    interface Listener {
        /** @param confirmed the lease as it was last sent to the client */
        void stalled(Lease confirmed, Instant now);
    }

    private final LeaseRenewers renewers;
    private final HoldClient client;
    private final Duration pause;
    private final Listener listener;

    // Guarded by this.
    private boolean stopped;
    private Timers.Timer timer = Timers.Timer.NONE;

    // Set by start, then changed only by ticks, one after the other.
    private Supplier<Lease> lease;
    private Lease confirmed;
    private int stalled;

    HoldTicks(LeaseRenewers renewers, HoldClient client, Duration pause, Listener listener) {
        this.renewers = renewers;
        this.client = client;
        this.pause = pause;
        this.listener = listener;
    }

    /**
     * @param sent the lease as it was sent to the client
     * @param current supplies the present lease
     */
    synchronized void start(Lease sent, Supplier<Lease> current) {
        confirmed = sent;
        lease = current;
        schedule();
    }

    synchronized void stop() {
        stopped = true;
        timer.cancel();
    }

    private synchronized void schedule() {
        if (!stopped) {
            timer = renewers.after(pause, this::tick);
        }
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private void tick() {
        if (isStopped()) {
            return;
        }
        var current = lease.get();
        var now = renewers.now();
        if (client.tick(current, now)) {
            stalled = 0;
            confirmed = current;
        } else {
            stalled++;
        }
        if (stalled < STALLED_MAX) {
            schedule();
        } else {
            listener.stalled(confirmed, now);
        }
    }
}
