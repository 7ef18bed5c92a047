package io.holdfast.store.embedded.engine;

import io.holdfast.kernel.Durations;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.store.StoreTelemetry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * The only thread that decides and writes. It takes all waiting changes, decides them one after the other, commits them
 * with one fsync, and then answers.
 *
 * <p>If the disk fails, the current batch and all waiting changes are answered as unavailable at once. Nothing is
 * decided until the disk accepts changes again.
 */
final class EmbeddedWriter {
    private static final Logger LOG = Logger.getLogger(EmbeddedWriter.class);
    private static final Duration POLL_EVERY = Duration.ofMillis(100);

    private final EmbeddedDisk disk;
    private final ChangeQueue queue;
    private final LongSupplier nanoTime;
    private final StoreTelemetry telemetry;
    private final Thread thread;

    EmbeddedWriter(EmbeddedDisk disk, ChangeQueue queue, LongSupplier nanoTime, StoreTelemetry telemetry) {
        this.disk = disk;
        this.queue = queue;
        this.nanoTime = nanoTime;
        this.telemetry = telemetry;
        this.thread = new Thread(this::run, "holdfast-embedded-writer");
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Waits until all accepted changes are answered. */
    void join() throws InterruptedException {
        thread.join();
    }

    private void run() {
        try {
            var open = true;
            while (open) {
                open = disk.refusal().isEmpty() ? serveBatch() : awaitDisk();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            queue.end();
        }
    }

    /** Returns false after the end of the queue. */
    private boolean serveBatch() throws InterruptedException {
        var batch = queue.take();
        try {
            commit(batch);
        } catch (Throwable e) {
            // The writer must survive any error. The result of the batch is in doubt.
            LOG.error("Embedded store writer failed", e);
            broke(batch, e);
        }
        queue.done();
        return batch.stream().noneMatch(queue::isLast);
    }

    private void commit(List<Change<?>> taken) {
        var started = nanoTime.getAsLong();
        if (disk.refusal().isPresent()) {
            var failure = new StoreUnavailableException(disk.refusal().get());
            taken.forEach(change -> change.fail(failure));
            return;
        }
        var batch = taken.stream().filter(change -> change.begin(started)).toList();
        try {
            batch.forEach(change -> change.decide(disk.tables()));
            if (disk.commit()) {
                called(started, true);
            }
        } catch (SQLException e) {
            called(started, false);
            failed(batch, e);
            return;
        }
        batch.forEach(Change::confirm);
    }

    /** A change without room must not fail the others, so the batch is repeated in halves, in order. */
    private void failed(List<Change<?>> batch, SQLException cause) {
        if (!disk.rolledBack(cause)) {
            broke(batch, cause);
        } else if (batch.size() == 1) {
            batch.getFirst().fail(new StoreUnavailableException(disk.full(cause), cause));
        } else {
            var half = batch.size() / 2;
            commit(batch.subList(0, half));
            commit(batch.subList(half, batch.size()));
        }
    }

    private void broke(List<Change<?>> batch, Throwable cause) {
        LOG.errorf("Commit failed changes=%d error=\"%s\"", batch.size(), cause.getMessage());
        var failure = new StoreUnavailableException(disk.broke(cause), cause);
        batch.forEach(change -> change.fail(failure));
    }

    /** Refuses changes that were queued before the failure, and reopens the file after the pause. */
    private boolean awaitDisk() throws InterruptedException {
        var pause = disk.reopenIn();
        var change = queue.poll(Durations.min(pause, POLL_EVERY));
        if (change != null) {
            change.fail(new StoreUnavailableException(disk.refusal().orElseThrow()));
            return !queue.isLast(change);
        }
        if (disk.reopenIn().isZero()) {
            reopen();
        }
        return true;
    }

    private void reopen() {
        try {
            disk.reopen();
        } catch (Throwable e) {
            LOG.error("Data file cannot be reopened", e);
            disk.broke(e);
        }
    }

    private void called(long started, boolean answered) {
        telemetry.called("commit", 0, Duration.ofNanos(nanoTime.getAsLong() - started), answered);
    }
}
