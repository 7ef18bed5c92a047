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
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps one lease by a connection, and by the next one when that breaks.
 *
 * <p>The deadline never lies after what the service has stored: it counts from before a request was sent, by the
 * service's own clock. So events that were read late, after a pause of this process or the network, prolong nothing.
 */
final class LeaseConnection implements Runnable {
    private static final long PAUSE_MIN_MILLIS = 50;
    private static final long PAUSE_MAX_MILLIS = 500;
    private static final Duration SILENCE_MIN = Duration.ofMillis(500);
    private static final Duration LINGER_MAX = Duration.ofSeconds(2);

    /** A service that is back sooner than this is not reported. */
    private static final Duration AWAY_AFTER = Duration.ofSeconds(1);

    private final ApiClient api;
    private final LockBody lease;
    private final Duration ttl;
    private final LeaseMonitor monitor;
    private volatile long deadline;
    private volatile boolean held;
    private volatile boolean asking;
    private volatile String trouble = "";

    /** @param deadlineNanos until when it is surely ours, by {@link System#nanoTime()} */
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

    /** Whether a connection has held it yet. */
    boolean isHeld() {
        return held;
    }

    /** Whether a connection was asked for that the service may still come to, though nobody waits for it any more. */
    boolean isAsking() {
        return asking;
    }

    /** What kept the last connection from holding it, as far as anybody said. */
    String trouble() {
        return trouble;
    }

    @Override
    public void run() {
        var keptUntil = System.nanoTime();
        try (var connections = new Connections()) {
            while (!monitor.isOver() && follow(connections)) {
                if (connections.isHolding) {
                    keptUntil = System.nanoTime();
                } else if (System.nanoTime() - keptUntil > AWAY_AFTER.toNanos()) {
                    monitor.away(this);
                }
                // A connection that held it is replaced soon: the service leaves us the lease for a moment only.
                var pauseMax = connections.isHolding ? PAUSE_MIN_MILLIS + 1 : PAUSE_MAX_MILLIS;
                Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MIN_MILLIS, pauseMax));
            }
            monitor.awaitClose();
        } catch (InterruptedException over) {
            // Nobody needs it any more.
        }
    }

    /**
     * The connection that holds the lease, and the one that is to take over. To close the first is to give the lease back,
     * so it stays until the other holds it.
     */
    private final class Connections implements AutoCloseable {
        private HoldStream holding;
        private HoldStream next;
        private boolean isHolding;

        HoldStream open() {
            isHolding = false;
            asking = true;
            next = new HoldStream(api, path());
            return next;
        }

        void takenOver() {
            isHolding = true;
            close(holding);
            holding = next;
            next = null;
        }

        /** One that has not taken over holds nothing. */
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

    /** So long the service leaves us the lease when a connection breaks; when we die, others wait for it. */
    private Duration linger() {
        var third = ttl.dividedBy(3);
        return Durations.min(third, LINGER_MAX);
    }

    /**
     * Whether a service whose clock was set back says that much is left, though by that clock it is little: to know, one
     * has to ask anew.
     */
    private boolean isDoubtful(long asked, long now, long saidToEnd) {
        var half = ttl.toNanos() / 2;
        return now - asked > half && saidToEnd - now > half && deadline - now < half;
    }

    private Duration silenceMax() {
        var third = ttl.dividedBy(3);
        return Durations.max(third, SILENCE_MIN);
    }

    /** @return whether another connection is to be tried */
    private boolean follow(Connections connections) throws InterruptedException {
        var asked = System.nanoTime();
        var stream = connections.open();
        var patience = api.answerMax();
        Instant serviceThen = null;
        while (!monitor.isOver()) {
            switch (stream.next(patience)) {
                case HoldStream.Event.Acquired(LockBody now) -> {
                    if (now.fencingToken() != lease.fencingToken()) {
                        // It had ended, and this is another lease: what happened in between is anybody's guess.
                        return lost("Lock '%s' was lost for a while.".formatted(lease.name()));
                    }
                    connections.takenOver();
                    asking = false;
                    patience = silenceMax();
                    serviceThen = Instant.parse(now.expiresAt()).minusMillis(now.remainingMs());
                    held = true;
                    trouble = "";
                    monitor.back(this);
                    confirmed(asked + MILLISECONDS.toNanos(now.remainingMs()));
                }
                case HoldStream.Event.Tick(var tick) -> {
                    if (serviceThen != null) {
                        // By the service's clock, unless that was set forward meanwhile.
                        var left = Duration.between(serviceThen, Instant.parse(tick.expiresAt()));
                        var now = System.nanoTime();
                        var atMost = now + MILLISECONDS.toNanos(tick.remainingMs());
                        confirmed(Math.min(asked + left.toNanos(), atMost));
                        if (stream.isCaughtUp() && isDoubtful(asked, now, atMost)) {
                            return true;
                        }
                    }
                }
                case HoldStream.Event.Lost(var loss) -> {
                    return staysOurs(loss.cause()) || lost(loss.detail());
                }
                case HoldStream.Event.Refused(ApiResponse refusal) -> {
                    asking = false;
                    connections.dropNext();
                    trouble = refusal.failure().getMessage();
                    return refusal.isPassing() || refusal.code().isEmpty() || lost(trouble);
                }
                case HoldStream.Event.Broken(String why) -> {
                    connections.dropNext();
                    trouble = why;
                    return true;
                }
                case null -> {
                    // Silence. A connection that holds the lease stays until the next one does.
                    connections.dropNext();
                    trouble = api.server() + " does not answer.";
                    if (connections.isHolding) {
                        monitor.away(this);
                    }
                    return true;
                }
            }
        }
        return false;
    }

    /** @return false: it is never asked for again, or that would take it anew */
    private boolean lost(String sentence) {
        monitor.lost(sentence);
        return false;
    }

    /** That connection is over, and the lease goes on with the next. */
    private static boolean staysOurs(String cause) {
        return cause.equals("shutting_down") || cause.equals("superseded");
    }

    private void confirmed(long until) {
        deadline = Math.max(deadline, until);
        monitor.changed();
    }
}
