package io.holdfast.lock.history;

import io.holdfast.kernel.Timers;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Mutiny's scheduler while histories are played: what a replica of a simulation delays is delayed in its virtual time.
 * Other threads get what they had before.
 */
final class SimulatedScheduler extends AbstractExecutorService implements ScheduledExecutorService, AutoCloseable {
    private static final ThreadLocal<Timers> CURRENT = new ThreadLocal<>();

    private final Executor before = Infrastructure.getDefaultExecutor();
    private final ScheduledExecutorService real = Infrastructure.getDefaultWorkerPool();

    private SimulatedScheduler() {}

    static SimulatedScheduler install() {
        var scheduler = new SimulatedScheduler();
        Infrastructure.setDefaultExecutor(scheduler, false);
        return scheduler;
    }

    @Override
    public void close() {
        Infrastructure.setDefaultExecutor(before, false);
    }

    /** Runs a task whose delays go by these timers. */
    static void run(Timers timers, Runnable task) {
        var outer = CURRENT.get();
        CURRENT.set(timers);
        try {
            task.run();
        } finally {
            CURRENT.set(outer);
        }
    }

    @Override
    public void execute(Runnable command) {
        if (CURRENT.get() == null) {
            real.execute(command);
        } else {
            command.run();
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        var timers = CURRENT.get();
        if (timers == null) {
            return real.schedule(command, delay, unit);
        }
        var timer = new SimulatedTimer();
        timer.timer = timers.after(Duration.ofNanos(unit.toNanos(delay)), command);
        return timer;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return real.schedule(callable, delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return real.scheduleAtFixedRate(command, initialDelay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return real.scheduleWithFixedDelay(command, initialDelay, delay, unit);
    }

    @Override
    public void shutdown() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Runnable> shutdownNow() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }

    /** Mutiny only ever cancels it. */
    private static final class SimulatedTimer extends CompletableFuture<Object> implements ScheduledFuture<Object> {
        private Timers.Timer timer;

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            timer.cancel();
            return super.cancel(mayInterruptIfRunning);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException();
        }
    }
}
