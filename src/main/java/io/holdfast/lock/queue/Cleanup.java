package io.holdfast.lock.queue;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.LockName;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Removes the tickets and releases the leases of attempts whose callers are gone. A step that the store does not answer
 * is retried with backoff until the store answers, or until the ticket or lease has expired.
 *
 * <p>Also counts the requests to the store whose outcome decides whether a clean-up is needed. A replica waits for all
 * of them at shutdown: see {@link #idle}. Blocks no thread. Thread-safe.
 */
public final class Cleanup {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lock");
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final Timers timers;
    private final int retryingMax;

    // Guarded by this.
    private int inProgress;
    private int retrying;
    private boolean closed;
    private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

    /** @param retryingMax the most steps that wait for a retry; beyond it tickets and leases are left to expire */
    public Cleanup(InstantSource clock, Timers timers, int retryingMax) {
        this.clock = clock;
        this.timers = timers;
        this.retryingMax = retryingMax;
    }

    /**
     * Runs the step, and retries it while it fails. Starts at once, even if the result is not subscribed to.
     *
     * @param until when the ticket or lease has expired, so that retries end
     * @return completes when the first try has succeeded or failed; retries continue in the background
     */
    public Uni<Void> run(LockName name, Instant until, Supplier<? extends Uni<?>> step) {
        begin();
        var firstEnded = new CompletableFuture<Void>();
        attempt(new Task(name, until, step), PAUSE_MIN, firstEnded);
        return Uni.createFrom().completionStage(firstEnded);
    }

    /** As {@link #run}, but starts after the delay. {@link #idle} waits for the step from now on. */
    public void runAfter(Duration delay, LockName name, Instant until, Supplier<? extends Uni<?>> step) {
        begin();
        timers.after(delay, () -> attempt(new Task(name, until, step), PAUSE_MIN, new CompletableFuture<>()));
    }

    /**
     * Runs the step once more after the delay. The store may have executed a delayed request after the first
     * withdrawal. The repetition is not retried, and a shutdown does not wait for it.
     */
    void repeatAfter(Duration delay, LockName name, Instant until, Supplier<? extends Uni<?>> step) {
        if (clock.instant().plus(delay).isBefore(until) && mayRetry()) {
            timers.after(delay, () -> {
                synchronized (this) {
                    retrying--;
                }
                Uni.createFrom()
                        .deferred(() -> step.get())
                        .subscribe()
                        .with(done -> {}, failure -> LOG.debugf("Clean-up failed lock=%s", name));
            });
        }
    }

    /**
     * Runs a request to the store whose outcome decides whether a clean-up is needed. {@link #idle} waits until the
     * outcome is handled.
     */
    public <T> Cancellable follow(Uni<T> step, Consumer<? super T> done, Consumer<? super Throwable> failed) {
        begin();
        return step.subscribe()
                .with(item -> endAfter(() -> done.accept(item)), failure -> endAfter(() -> failed.accept(failure)));
    }

    private void endAfter(Runnable handler) {
        try {
            handler.run();
        } finally {
            end();
        }
    }

    /** Completes when no step is in progress or waits for a retry. */
    public synchronized Uni<Void> idle() {
        return Uni.createFrom().completionStage(idle);
    }

    /** From now on a failed step is not retried, because the store is about to close. */
    public synchronized void close() {
        closed = true;
    }

    private record Task(LockName name, Instant until, Supplier<? extends Uni<?>> step) {}

    private void attempt(Task task, Duration pause, CompletableFuture<Void> firstEnded) {
        Uni.createFrom()
                .deferred(() -> task.step().get())
                .subscribe()
                .with(
                        done -> {
                            end();
                            firstEnded.complete(null);
                        },
                        failure -> {
                            failed(task, pause, failure);
                            firstEnded.complete(null);
                        });
    }

    private void failed(Task task, Duration pause, Throwable failure) {
        if (clock.instant().isBefore(task.until()) && mayRetry()) {
            LOG.debugf("Clean-up failed, will be retried lock=%s error=\"%s\"", task.name(), failure.getMessage());
            timers.after(jittered(pause), () -> retry(task, pause));
        } else {
            LOG.warnf(
                    "Lock left to expire lock=%s until=%s error=\"%s\"",
                    task.name(), task.until(), failure.getMessage());
            end();
        }
    }

    private void retry(Task task, Duration before) {
        synchronized (this) {
            retrying--;
        }
        var doubled = before.multipliedBy(2);
        attempt(task, Durations.min(doubled, PAUSE_MAX), new CompletableFuture<>());
    }

    private synchronized boolean mayRetry() {
        if (closed || retrying >= retryingMax) {
            return false;
        }
        retrying++;
        return true;
    }

    private synchronized void begin() {
        if (inProgress++ == 0) {
            idle = new CompletableFuture<>();
        }
    }

    private void end() {
        CompletableFuture<Void> done;
        synchronized (this) {
            if (--inProgress > 0) {
                return;
            }
            done = idle;
        }
        done.complete(null);
    }

    private static Duration jittered(Duration pause) {
        var half = pause.toMillis() / 2;
        return Duration.ofMillis(half + ThreadLocalRandom.current().nextLong(half + 1));
    }
}
