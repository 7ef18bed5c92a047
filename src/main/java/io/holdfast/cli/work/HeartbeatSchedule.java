package io.holdfast.cli.work;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.holdfast.cli.retry.Backoff;
import java.time.Duration;

/**
 * When the next heartbeat of a run is due, and until when its lease is certainly held. Times are those of
 * {@link System#nanoTime()}. Not thread-safe.
 *
 * <p>The deadline is never later than the expiry that the service has stored, because it counts from before the request was
 * sent. The service counts from its answer, which a claim may have waited for. If that wait was long, the deadline would be
 * much too early. Then a heartbeat confirms the lease before the handler starts.
 */
final class HeartbeatSchedule {
    /** A handler that has not ended by then is killed this long before its lease expires. */
    static final Duration KILL_MARGIN = Duration.ofMillis(500);

    private static final long PROGRESS_EVERY = SECONDS.toNanos(1);

    private static final Duration RETRY_FIRST = Duration.ofSeconds(1);
    private static final Duration RETRY_MAX = Duration.ofSeconds(10);

    private final long every;
    private final long margin;
    private final long killMargin;
    private final Backoff retries = new Backoff(RETRY_FIRST, RETRY_MAX);
    private long deadline;
    private long lastSent;
    private long next;
    private boolean confirmed;
    private boolean failing;
    private boolean hasProgress;

    /** @param safetyMargin the handler is stopped this long before an unconfirmed lease expires */
    HeartbeatSchedule(ClaimedJob job, Duration every, Duration safetyMargin) {
        var remaining = MILLISECONDS.toNanos(job.claim().lease().remainingMs());
        this.every = every.toNanos();
        this.margin = safetyMargin.toNanos();
        this.killMargin = Math.min(KILL_MARGIN.toNanos(), margin / 4);
        this.lastSent = job.sentNanos();
        this.confirmed = job.receivedNanos() - job.sentNanos() <= remaining / 10;
        this.deadline = (confirmed ? job.sentNanos() : job.receivedNanos()) + remaining;
        this.next = confirmed ? job.sentNanos() + interval(remaining) : job.receivedNanos();
    }

    /** At most half of what is left, so that a second attempt comes in time. */
    private long interval(long remaining) {
        return Math.min(every, remaining / 2);
    }

    /** Whether the deadline counts from before a request, so that the handler may start. */
    boolean isConfirmed() {
        return confirmed;
    }

    long deadline() {
        return deadline;
    }

    /** When the handler is stopped unless the service confirms the lease before. */
    long stopAt() {
        return deadline - margin;
    }

    /** When a handler that is being stopped is killed, although its grace is not over. */
    long killAt() {
        return deadline - killMargin;
    }

    /** Progress is sent soon, but not with every line of a handler that writes many. */
    void progressed() {
        hasProgress = true;
    }

    void withoutProgress() {
        hasProgress = false;
    }

    long dueAt() {
        return hasProgress && !failing ? Math.min(next, lastSent + PROGRESS_EVERY) : next;
    }

    void sending(long now) {
        lastSent = now;
        hasProgress = false;
    }

    void answered(long sent, long remainingNanos) {
        confirmed = true;
        failing = false;
        retries.reset();
        deadline = sent + remainingNanos;
        next = sent + interval(remainingNanos);
    }

    /** @param progressLeft whether there is progress that was not sent */
    void failed(long now, boolean progressLeft) {
        failing = true;
        hasProgress = hasProgress || progressLeft;
        next = now + retries.nextNanos();
    }
}
