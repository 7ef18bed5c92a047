package io.holdfast.cli;

import io.holdfast.http.wire.LockBody;
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
final class KeptLease implements Runnable {
    private static final long PAUSE_MIN_MILLIS = 50;
    private static final long PAUSE_MAX_MILLIS = 500;
    private static final Duration SILENCE_MIN = Duration.ofMillis(500);

    private final Api api;
    private final LockBody lease;
    private final Duration ttl;
    private final Guard guard;
    private volatile long deadline;
    private volatile boolean held;
    private volatile String trouble = "";

    /** @param deadlineNanos until when it is surely ours, by {@link System#nanoTime()} */
    KeptLease(Api api, LockBody lease, long deadlineNanos, Guard guard) {
        this.api = api;
        this.lease = lease;
        this.ttl = Duration.ofMillis(lease.ttlMs());
        this.deadline = deadlineNanos;
        this.guard = guard;
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

    /** What kept the last connection from holding it, as far as anybody said. */
    String trouble() {
        return trouble;
    }

    @Override
    public void run() {
        try {
            while (!guard.isOver()) {
                try (var stream = new HoldStream(api, path())) {
                    follow(stream, System.nanoTime());
                }
                Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MIN_MILLIS, PAUSE_MAX_MILLIS));
            }
        } catch (InterruptedException over) {
            // Nobody needs it any more.
        }
    }

    private String path() {
        var query = new LinkedHashMap<String, String>();
        query.put("owner", lease.owner());
        query.put("lock_id", lease.lockId());
        query.put("ttl", Durations.wire(ttl));
        return Api.path("v1", "locks", lease.name()) + "/hold" + Api.query(query);
    }

    /** Returns when the lease is lost, or when another connection is to be tried. */
    private void follow(HoldStream stream, long asked) throws InterruptedException {
        var silenceMax = max(ttl.dividedBy(3), SILENCE_MIN);
        var patience = api.answerMax();
        Instant serviceThen = null;
        while (!guard.isOver()) {
            switch (stream.next(patience)) {
                case null -> {
                    return;
                }
                case HoldStream.Event.Acquired(LockBody now) -> {
                    if (now.fencingToken() != lease.fencingToken()) {
                        // It had ended, and this is another lease: what happened in between is anybody's guess.
                        guard.lost("Lock '%s' was lost for a while.".formatted(lease.name()));
                        return;
                    }
                    patience = silenceMax;
                    held = true;
                    trouble = "";
                    serviceThen = Instant.parse(now.expiresAt()).minusMillis(now.remainingMs());
                    confirmed(asked + Duration.ofMillis(now.remainingMs()).toNanos());
                }
                case HoldStream.Event.Tick(var tick) -> {
                    if (serviceThen != null) {
                        var end = Instant.parse(tick.expiresAt());
                        confirmed(asked + Duration.between(serviceThen, end).toNanos());
                    }
                }
                case HoldStream.Event.Lost(var loss) -> {
                    if (!staysOurs(loss.cause())) {
                        guard.lost(loss.detail());
                    }
                    return;
                }
                case HoldStream.Event.Refused(Answer refusal) -> {
                    trouble = refusal.failure().getMessage();
                    if (!refusal.isPassing() && !refusal.code().isEmpty()) {
                        guard.lost(trouble);
                    }
                    return;
                }
                case HoldStream.Event.Broken() -> {
                    return;
                }
            }
        }
    }

    /** That connection is over, and the lease goes on with the next. */
    private static boolean staysOurs(String cause) {
        return cause.equals("shutting_down") || cause.equals("superseded");
    }

    private void confirmed(long until) {
        deadline = Math.max(deadline, until);
        guard.changed();
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
