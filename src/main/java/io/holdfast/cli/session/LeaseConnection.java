package io.holdfast.cli.session;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.api.HoldStream;
import io.holdfast.cli.output.DurationText;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.kernel.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps one lease by a connection, and reconnects when the connection breaks.
 *
 * <p>The lease is certainly held until the deadline. The deadline is never later than the expiry that the service has
 * stored, because it counts from before the request was sent. Each tick extends it by what the service has added to
 * {@code expires_at}, not by the time at which the tick is read. So a tick that is read late does not extend it too far.
 */
final class LeaseConnection implements Runnable {
    private static final long PAUSE_MIN_MILLIS = 50;
    private static final long PAUSE_MAX_MILLIS = 500;
    private static final Duration SILENCE_MIN = Duration.ofMillis(500);
    private static final Duration LINGER_MAX = Duration.ofSeconds(2);

    /** Shorter outages are not reported. */
    private static final Duration REPORT_AFTER = Duration.ofSeconds(1);

    private final ApiClient api;
    private final LockBody lease;
    private final Duration ttl;
    private final LeaseMonitor monitor;
    private volatile long deadline;
    private volatile boolean hasHeld;
    private volatile boolean requestPending;
    private volatile String lastFailure = "";

    /** @param deadlineNanos until when the lease is certainly held, by {@link System#nanoTime()} */
    LeaseConnection(ApiClient api, LockBody lease, long deadlineNanos, LeaseMonitor monitor) {
        this.api = api;
        this.lease = lease;
        this.ttl = Duration.ofMillis(lease.ttlMs());
        this.deadline = deadlineNanos;
        this.monitor = monitor;
    }

    String name() {
        return lease.name();
    }

    long deadlineNanos() {
        return deadline;
    }

    /** Whether a connection has held the lease yet. */
    boolean hasHeld() {
        return hasHeld;
    }

    /** Whether a hold request was sent that the service has not answered and may still carry out. */
    boolean hasPendingRequest() {
        return requestPending;
    }

    /** Why the last connection failed; empty if it did not. */
    String lastFailure() {
        return lastFailure;
    }

    @Override
    public void run() {
        var connectedNanos = System.nanoTime();
        try (var connections = new Connections()) {
            while (!monitor.isStopped() && runConnection(connections)) {
                if (connections.latestHolds) {
                    connectedNanos = System.nanoTime();
                } else if (System.nanoTime() - connectedNanos > REPORT_AFTER.toNanos()) {
                    monitor.disconnected(this);
                }
                // After a disconnect the service keeps the lease for the linger time only, so reconnect soon.
                var pauseMax = connections.latestHolds ? PAUSE_MIN_MILLIS + 1 : PAUSE_MAX_MILLIS;
                Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MIN_MILLIS, pauseMax));
            }
            monitor.awaitClose();
        } catch (InterruptedException closed) {
            // The monitor was closed.
        }
    }

    /**
     * The connection that holds the lease and the next one. The service releases a lease when its connection is closed, so
     * the first stays open until the next one holds the lease.
     */
    private final class Connections implements AutoCloseable {
        private HoldStream holding;
        private HoldStream next;
        /** Whether the connection that was opened last has held the lease. */
        private boolean latestHolds;

        HoldStream open() {
            latestHolds = false;
            requestPending = true;
            next = new HoldStream(api, path());
            return next;
        }

        /** The next connection holds the lease now. */
        void takenOver() {
            latestHolds = true;
            close(holding);
            holding = next;
            next = null;
        }

        void dropNext() {
            close(next);
            next = null;
        }

        private static void close(HoldStream stream) {
            if (stream != null) {
                stream.close();
            }
        }

        @Override
        public void close() {
            close(next);
            close(holding);
        }
    }

    private String path() {
        var query = new LinkedHashMap<String, String>();
        query.put("owner", lease.owner());
        query.put("lock_id", lease.lockId());
        query.put("ttl", DurationText.wire(ttl));
        query.put("linger", DurationText.wire(linger()));
        query.put("padding", "true");
        return ApiClient.path("v1", "locks", lease.name()) + "/hold" + ApiClient.query(query);
    }

    /** How long the service keeps the lease after a disconnect. If this process dies, other clients wait that long. */
    private Duration linger() {
        return Durations.min(ttl.dividedBy(3), LINGER_MAX);
    }

    /**
     * Whether the service's clock seems to be set back: the service reports much time left, but by {@code expires_at} there
     * is little. A new connection tells which is right.
     */
    private boolean isClockSuspect(long sent, long now, long reportedEnd) {
        var half = ttl.toNanos() / 2;
        return now - sent > half && reportedEnd - now > half && deadline - now < half;
    }

    private Duration silenceMax() {
        return Durations.max(ttl.dividedBy(3), SILENCE_MIN);
    }

    /** @return whether to open another connection */
    private boolean runConnection(Connections connections) throws InterruptedException {
        var sent = System.nanoTime();
        var stream = connections.open();
        var timeout = api.answerMax();
        Instant acquiredAt = null;
        while (!monitor.isStopped()) {
            switch (stream.next(timeout)) {
                case HoldStream.Event.Acquired(LockBody now) -> {
                    if (now.fencingToken() != lease.fencingToken()) {
                        // The lease had ended and this is a new one. Another owner may have held the lock in between.
                        return lost("Lock '%s' was lost and acquired again.".formatted(lease.name()));
                    }
                    connections.takenOver();
                    requestPending = false;
                    timeout = silenceMax();
                    acquiredAt = Instant.parse(now.expiresAt()).minusMillis(now.remainingMs());
                    hasHeld = true;
                    lastFailure = "";
                    monitor.connected(this);
                    confirmed(sent + MILLISECONDS.toNanos(now.remainingMs()));
                }
                case HoldStream.Event.Tick(var tick) -> {
                    if (acquiredAt != null) {
                        // Both times are of the service's clock. If it was set forward, remaining_ms is the limit.
                        var left = Duration.between(acquiredAt, Instant.parse(tick.expiresAt()));
                        var now = System.nanoTime();
                        var atMost = now + MILLISECONDS.toNanos(tick.remainingMs());
                        confirmed(Math.min(sent + left.toNanos(), atMost));
                        if (stream.isCaughtUp() && isClockSuspect(sent, now, atMost)) {
                            return true;
                        }
                        if (stream.isTokenReplaced()) {
                            return true;
                        }
                    }
                }
                case HoldStream.Event.Lost(var loss) -> {
                    return leaseContinues(loss.cause()) || lost(loss.detail());
                }
                case HoldStream.Event.Refused(ApiResponse refusal) -> {
                    requestPending = false;
                    connections.dropNext();
                    lastFailure = refusal.failure().getMessage();
                    // A refused token does not end the lease: until the deadline it may be replaced.
                    return refusal.isTemporary()
                            || refusal.isUnauthenticated()
                            || refusal.code().isEmpty()
                            || lost(lastFailure);
                }
                case HoldStream.Event.Disconnected(String why) -> {
                    connections.dropNext();
                    lastFailure = why;
                    return true;
                }
                case null -> {
                    // Timed out. The connection that holds the lease stays open until the next one holds it.
                    connections.dropNext();
                    lastFailure = api.server() + " does not answer.";
                    if (connections.latestHolds) {
                        monitor.disconnected(this);
                    }
                    return true;
                }
            }
        }
        return false;
    }

    /** @return false, so that no further connection is opened: it would acquire the lock again */
    private boolean lost(String sentence) {
        monitor.lost(sentence);
        return false;
    }

    /** Whether only the connection has ended, so that the next one continues the lease. */
    private static boolean leaseContinues(String cause) {
        return Set.of("shutting_down", "superseded", "unauthenticated").contains(cause);
    }

    private void confirmed(long until) {
        deadline = Math.max(deadline, until);
        monitor.changed();
    }
}
