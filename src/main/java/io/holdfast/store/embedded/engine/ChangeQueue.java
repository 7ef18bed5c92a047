package io.holdfast.store.embedded.engine;

import io.holdfast.kernel.Settings;
import io.holdfast.kernel.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Changes that wait for the writer, in the order of arrival. A separate thread answers those whose deadline has passed,
 * also while the writer is blocked.
 */
final class ChangeQueue {
    private static final Duration CHECK_EVERY_MAX = Duration.ofSeconds(1);
    private static final int CHECKS_PER_TIMEOUT = 10;

    private final EmbeddedConfig config;
    private final LongSupplier nanoTime;
    private final BlockingQueue<Change<?>> waiting;
    private final Change<Void> last;
    private final Thread deadlines;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile List<Change<?>> underWay = List.of();
    private volatile boolean closing;

    ChangeQueue(EmbeddedConfig config, LongSupplier nanoTime) {
        this.config = config;
        this.nanoTime = nanoTime;
        this.waiting = new LinkedBlockingQueue<>(config.queueMax());
        this.last = new Change<>(
                () -> null, Runnable::run, Change.Deadline.in(Duration.ofDays(36_500), nanoTime.getAsLong()));
        this.deadlines = new Thread(this::checkDeadlines, "holdfast-embedded-deadlines");
        this.deadlines.setDaemon(true);
    }

    void start() {
        deadlines.start();
    }

    Change.Deadline deadline() {
        return Change.Deadline.in(config.changeTimeout(), nanoTime.getAsLong());
    }

    <T> CompletableFuture<T> submit(Change<T> change) {
        if (closing) {
            change.fail(shuttingDown());
        } else if (!waiting.offer(change)) {
            change.fail(new StoreUnavailableException("More than " + config.queueMax()
                    + " changes are waiting for the disk (holdfast.embedded.queue-max)."));
        } else if (ended.getCount() == 0) {
            failAll();
        }
        return change.answer();
    }

    /** Waits for a change, and takes it and those after it as the current batch. */
    List<Change<?>> take() throws InterruptedException {
        var batch = new ArrayList<Change<?>>();
        batch.add(waiting.take());
        waiting.drainTo(batch, config.batchMax() - 1);
        underWay = List.copyOf(batch);
        return underWay;
    }

    /** Call it when all changes of the batch are answered. */
    void done() {
        underWay = List.of();
    }

    /** Takes one change, and waits for it at most {@code max}. Null if there is none. */
    Change<?> poll(Duration max) throws InterruptedException {
        return waiting.poll(max.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Whether this is the marker of the end of the queue. */
    boolean isLast(Change<?> change) {
        return change == last;
    }

    /** The reason if the next change is likely to miss its deadline. */
    Optional<String> problem() {
        return underWay.stream().anyMatch(change -> change.isLate(nanoTime.getAsLong()))
                ? Optional.of("The disk has not finished a change within " + Settings.text(config.changeTimeout())
                        + " (holdfast.embedded.change-timeout).")
                : Optional.empty();
    }

    /** Accepts no more changes. The writer still takes those that were accepted. */
    void close() throws InterruptedException {
        closing = true;
        waiting.put(last);
    }

    /** Call it when the writer has ended. Fails the remaining changes. */
    void end() {
        ended.countDown();
        failAll();
    }

    private void failAll() {
        for (var change = waiting.poll(); change != null; change = waiting.poll()) {
            change.fail(shuttingDown());
        }
    }

    private static StoreUnavailableException shuttingDown() {
        return new StoreUnavailableException("The service is shutting down.");
    }

    private void checkDeadlines() {
        var pause = config.changeTimeout().dividedBy(CHECKS_PER_TIMEOUT);
        var millis = Math.clamp(pause.toMillis(), 1, CHECK_EVERY_MAX.toMillis());
        try {
            while (!ended.await(millis, TimeUnit.MILLISECONDS)) {
                expire(nanoTime.getAsLong());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All changes have the same timeout, so the first one expires first. */
    private void expire(long now) {
        underWay.forEach(change -> change.expire(now));
        for (var first = waiting.peek(); first != null && first.expire(now); first = waiting.peek()) {
            waiting.remove(first);
        }
    }
}
