package io.holdfast.store.embedded;

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
 * Changes on their way to the writer, in the order of their arrival. A thread of its own answers those whose deadline has
 * passed, whatever the writer is doing.
 */
final class ChangeQueue {
    private static final Duration LOOK_EVERY_MAX = Duration.ofSeconds(1);
    private static final int LOOKS_PER_TIMEOUT = 10;

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
        this.deadlines = new Thread(this::watchDeadlines, "holdfast-embedded-deadlines");
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

    /** Waits for a change and takes it, and those behind it, as the batch that is under way. */
    List<Change<?>> take() throws InterruptedException {
        var batch = new ArrayList<Change<?>>();
        batch.add(waiting.take());
        waiting.drainTo(batch, config.batchMax() - 1);
        underWay = List.copyOf(batch);
        return underWay;
    }

    /** Every change of the batch has its answer. */
    void done() {
        underWay = List.of();
    }

    /** Takes one change. Waits for it, but not longer than {@code max}; null if there is none. */
    Change<?> poll(Duration max) throws InterruptedException {
        return waiting.poll(max.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Whether this is the change after which there is no other. */
    boolean isLast(Change<?> change) {
        return change == last;
    }

    /** Why the next change is likely to miss its deadline, if so. */
    Optional<String> problem() {
        return underWay.stream().anyMatch(change -> change.isLate(nanoTime.getAsLong()))
                ? Optional.of("The disk has not finished a change within " + Settings.text(config.changeTimeout())
                        + " (holdfast.embedded.change-timeout).")
                : Optional.empty();
    }

    /** Accepts nothing any more. What was accepted before is still taken. */
    void close() throws InterruptedException {
        closing = true;
        waiting.put(last);
    }

    /** The writer has ended: what is left has no one to make it. */
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

    private void watchDeadlines() {
        var pause = config.changeTimeout().dividedBy(LOOKS_PER_TIMEOUT);
        var millis = Math.clamp(pause.toMillis(), 1, LOOK_EVERY_MAX.toMillis());
        try {
            while (!ended.await(millis, TimeUnit.MILLISECONDS)) {
                expire(nanoTime.getAsLong());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All have the same time, so the one that came first is due first. */
    private void expire(long now) {
        underWay.forEach(change -> change.expire(now));
        for (var first = waiting.peek(); first != null && first.expire(now); first = waiting.peek()) {
            waiting.remove(first);
        }
    }
}
