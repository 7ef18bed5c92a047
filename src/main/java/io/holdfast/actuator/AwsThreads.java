package io.holdfast.actuator;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that calls of AWS block, apart from those of everybody else. They exist while they are used. What finds
 * too many waiting, or comes after the end, is rejected.
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

    /** What is under way ends by itself: cutting it off would only leave in doubt what it did. What waits is dropped. */
    @Override
    public synchronized void close() {
        closed = true;
        pool.ifPresent(threads -> {
            threads.shutdown();
            threads.getQueue().clear();
        });
    }
}
