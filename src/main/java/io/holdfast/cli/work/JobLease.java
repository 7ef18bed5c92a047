package io.holdfast.cli.work;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.OutageNotes;
import io.holdfast.http.wire.job.HeartbeatResultBody;
import io.holdfast.http.wire.job.JobHeartbeatBody;
import io.holdfast.http.wire.job.ProgressBody;
import java.time.Duration;
import java.util.Optional;

/**
 * The lease of one run: sends heartbeats with the progress of the handler, and notices a loss and a cancellation. Heartbeats are
 * sent on a thread of their own until it is closed. Thread-safe.
 */
final class JobLease implements AutoCloseable {
    /** Two deadlines that differ by less are the same. */
    private static final long DEADLINE_TOLERANCE = SECONDS.toNanos(1);

    /** Longest time that the end of a run waits for a heartbeat that is under way. */
    private static final Duration BEAT_MAX = Duration.ofSeconds(2);

    private final ApiClient api;
    private final ClaimedJob job;
    private final HeartbeatSchedule schedule;
    private final OutageNotes outages;
    private final Runnable listener;
    private final Thread thread;
    private ProgressBody progress;
    private boolean cancelRequested;
    private String stale;
    private String lastFailure = "";
    private boolean beating;
    private boolean reporting;
    private boolean closed;

    private JobLease(
            ApiClient api, ClaimedJob job, HeartbeatSchedule schedule, OutageNotes outages, Runnable listener) {
        this.api = api;
        this.job = job;
        this.schedule = schedule;
        this.outages = outages;
        this.listener = listener;
        this.cancelRequested = job.claim().job().cancelRequested();
        this.thread = Thread.ofPlatform().daemon().name("heartbeat-" + job.id()).unstarted(this::beatUntilClosed);
    }

    /** @param listener called when the state may have changed, on another thread */
    static JobLease start(
            ApiClient api, ClaimedJob job, HeartbeatSchedule schedule, OutageNotes outages, Runnable listener) {
        var lease = new JobLease(api, job, schedule, outages, listener);
        lease.thread.start();
        return lease;
    }

    /** Sends this with a heartbeat soon. Replaces progress that was not sent yet. */
    synchronized void report(ProgressBody reported) {
        if (!reporting) {
            progress = reported;
            schedule.progressed();
            notifyAll();
        }
    }

    /** Whether the handler may start. */
    synchronized boolean isConfirmed() {
        return schedule.isConfirmed();
    }

    synchronized boolean isCancelRequested() {
        return cancelRequested;
    }

    synchronized Optional<LeaseLoss> loss() {
        if (stale != null) {
            return Optional.of(new LeaseLoss(LeaseLoss.Cause.STALE, stale));
        }
        if (nanosLeft() > 0) {
            return Optional.empty();
        }
        return Optional.of(
                isAtDeadline()
                        ? new LeaseLoss(LeaseLoss.Cause.DEADLINE, "The run has reached its deadline.")
                        : new LeaseLoss(
                                LeaseLoss.Cause.UNCONFIRMED,
                                ("The lease was not confirmed in time. " + lastFailure).strip()));
    }

    private boolean isAtDeadline() {
        var runMax = MILLISECONDS.toNanos(job.claim().job().deadlineMs());
        return lastFailure.isEmpty() && schedule.deadline() - job.sentNanos() >= runMax - DEADLINE_TOLERANCE;
    }

    /** The time until the lease counts as lost, unless the service confirms it before. */
    synchronized long nanosLeft() {
        return schedule.stopAt() - System.nanoTime();
    }

    /**
     * Whether the lease is about to expire, so that a handler that is being stopped must be killed. Not if the service has told
     * of the loss: then the handler has its grace.
     */
    synchronized boolean isEnding() {
        return stale == null && schedule.killAt() - System.nanoTime() <= 0;
    }

    /** The time until the lease expires, unless the service confirms it before. */
    synchronized Duration remaining() {
        return Duration.ofNanos(Math.max(0, schedule.deadline() - System.nanoTime()));
    }

    private void beatUntilClosed() {
        try {
            while (awaitDue()) {
                beat();
                listener.run();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return false if no heartbeat is to be sent any more */
    private synchronized boolean awaitDue() throws InterruptedException {
        while (!closed && stale == null) {
            var left = schedule.dueAt() - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            NANOSECONDS.timedWait(this, left);
        }
        return false;
    }

    private void beat() {
        var sent = begin();
        try {
            answered(api.post(job.path("heartbeat"), new JobHeartbeatBody(job.epoch(), sent)), sent);
        } catch (CliException unanswered) {
            failed(unanswered.getMessage(), sent);
        } finally {
            end();
        }
    }

    /** @return the progress to send */
    private synchronized ProgressBody begin() {
        var taken = progress;
        progress = null;
        beating = true;
        schedule.sending(System.nanoTime());
        return taken;
    }

    private synchronized void end() {
        beating = false;
        notifyAll();
    }

    private void answered(ApiResponse response, ProgressBody sent) {
        if (response.isSuccess()) {
            confirmed(response);
        } else if (isStale(response)) {
            lost(response.sentence());
        } else if (response.code().equals("invalid-input") && sent != null) {
            // The next heartbeat has no progress.
            failed(response.sentence(), null);
        } else {
            failed(response.failure().getMessage(), sent);
        }
    }

    /** Whether the worker no longer runs the job, or the job does not exist any more. */
    static boolean isStale(ApiResponse response) {
        return response.code().equals("stale-epoch") || response.code().equals("not-found");
    }

    private void confirmed(ApiResponse response) {
        var result = api.read(response.body(), HeartbeatResultBody.class);
        synchronized (this) {
            schedule.answered(response.sentNanos(), MILLISECONDS.toNanos(result.remainingMs()));
            cancelRequested = cancelRequested || result.cancelRequested();
            lastFailure = "";
        }
        outages.reconnected(job.lock());
    }

    private synchronized void lost(String sentence) {
        stale = sentence;
    }

    /** @param unsent progress to send again, unless there is newer progress */
    private void failed(String sentence, ProgressBody unsent) {
        Duration left;
        synchronized (this) {
            if (closed) {
                return;
            }
            progress = progress == null && !reporting ? unsent : progress;
            lastFailure = sentence;
            schedule.failed(System.nanoTime(), progress != null);
            left = Duration.ofNanos(Math.max(0, nanosLeft()));
        }
        outages.disconnected(job.lock(), sentence, left);
    }

    /**
     * The handler has ended. Sends no more progress, and lets a heartbeat that is under way end first: after the report the
     * service would refuse it as that of a worker that does not run the job.
     */
    synchronized void beginReport() throws InterruptedException {
        reporting = true;
        progress = null;
        schedule.withoutProgress();
        var until = System.nanoTime() + BEAT_MAX.toNanos();
        for (var left = BEAT_MAX.toNanos(); beating && left > 0; left = until - System.nanoTime()) {
            NANOSECONDS.timedWait(this, left);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        thread.interrupt();
        try {
            thread.join(BEAT_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        outages.forget(job.lock());
    }
}
