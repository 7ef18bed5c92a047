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
 * Takes back what attempts left behind whose callers are gone: tickets and leases. A step that the store does not answer
 * is tried again, after pauses that grow, until it is answered or what there is to take back has expired by itself.
 *
 * <p>It also counts the store's steps whose outcome decides whether there is anything to take back, so that a replica that
 * is told to stop can wait for all of it: see {@link #idle}. Holds no thread. Safe for concurrent use.
 */
public final class Cleanup {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lock");
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final Timers timers;
    private final int retryingMax;

    // What follows changes under the monitor of this.
    private int underWay;
    private int retrying;
    private boolean closed;
    private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

    /** @param retryingMax how many may wait for their next try; beyond it they are left to expire */
    public Cleanup(InstantSource clock, Timers timers, int retryingMax) {
        this.clock = clock;
        this.timers = timers;
        this.retryingMax = retryingMax;
    }

    /**
     * Begins at once, whether or not the result is subscribed to.
     *
     * @param until from then on there is nothing left to take back
     * @return completes when the first try has ended, however it ended; the others go on in the background
     */
    public Uni<Void> run(LockName name, Instant until, Supplier<? extends Uni<?>> step) {
        begin();
        var firstEnded = new CompletableFuture<Void>();
        attempt(new Task(name, until, step), PAUSE_MIN, firstEnded);
        return Uni.createFrom().completionStage(firstEnded);
    }

    /** Begins when the delay is over. It counts as under way from now on. */
    public void runAfter(Duration delay, LockName name, Instant until, Supplier<? extends Uni<?>> step) {
        begin();
        timers.after(delay, () -> attempt(new Task(name, until, step), PAUSE_MIN, new CompletableFuture<>()));
    }

    /**
     * Tries once, when the delay is over: a request that the store did not answer in time may be carried out after it was
     * taken back. Nothing waits for this, and a replica that stops leaves it out.
     */
    void onceMoreAfter(Duration delay, LockName name, Instant until, Supplier<? extends Uni<?>> step) {
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
     * Takes a step of the store whose outcome decides what there is to take back. It counts as under way until the outcome
     * was dealt with.
     */
    public <T> Cancellable follow(Uni<T> step, Consumer<? super T> done, Consumer<? super Throwable> failed) {
        begin();
        return step.subscribe()
                .with(item -> endAfter(() -> done.accept(item)), failure -> endAfter(() -> failed.accept(failure)));
    }

    private void endAfter(Runnable dealing) {
        try {
            dealing.run();
        } finally {
            end();
        }
    }

    /** Completes when nothing is under way any more. */
    public synchronized Uni<Void> idle() {
        return Uni.createFrom().completionStage(idle);
    }

    /** The store is about to close: nothing is tried again. */
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
            LOG.debugf("Clean-up failed, tried again lock=%s error=\"%s\"", task.name(), failure.getMessage());
            timers.after(jittered(pause), () -> again(task, pause));
        } else {
            LOG.warnf("Left to expire lock=%s until=%s error=\"%s\"", task.name(), task.until(), failure.getMessage());
            end();
        }
    }

    private void again(Task task, Duration before) {
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
        if (underWay++ == 0) {
            idle = new CompletableFuture<>();
        }
    }

    private void end() {
        CompletableFuture<Void> done;
        synchronized (this) {
            if (--underWay > 0) {
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
