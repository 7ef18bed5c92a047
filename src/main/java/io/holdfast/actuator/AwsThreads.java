package io.holdfast.actuator;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for blocking AWS calls, separate from all other work. Idle threads end. Rejects tasks when its queue is full,
 * and after it is closed.
 */
final class AwsThreads implements Executor, AutoCloseable {
    static final int WAITING_MAX = 1000;

    private static final Duration IDLE_MAX = Duration.ofSeconds(30);

    private final int max;
    private Optional<ThreadPoolExecutor> pool = Optional.empty();
    private boolean closed;

    AwsThreads(int max) {
        this.max = max;
    }

    @Override
    public void execute(Runnable task) {
        pool().execute(task);
    }

    private synchronized ThreadPoolExecutor pool() {
        if (closed) {
            throw new RejectedExecutionException("closed");
        }
        var threads = pool.orElseGet(this::newPool);
        pool = Optional.of(threads);
        return threads;
    }

    private ThreadPoolExecutor newPool() {
        var threads = new ThreadPoolExecutor(
                max,
                max,
                IDLE_MAX.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(WAITING_MAX),
                Thread.ofPlatform().daemon().name("aws-call-", 1).factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Drops queued tasks. Running calls are not interrupted, because their effect would be unknown. */
    @Override
    public synchronized void close() {
        closed = true;
        pool.ifPresent(threads -> {
            threads.shutdown();
            threads.getQueue().clear();
        });
    }
}
