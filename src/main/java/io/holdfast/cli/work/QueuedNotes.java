package io.holdfast.cli.work;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes messages in their order on a thread of its own, so that a suspended terminal or an unread pipe does not block the
 * worker. Thread-safe.
 */
final class QueuedNotes implements Consumer<String>, AutoCloseable {
    /** Longest time to wait for the last messages to be written. */
    private static final Duration CLOSE_MAX = Duration.ofSeconds(1);

    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("notes").factory());
    private final Consumer<String> notes;

    QueuedNotes(Consumer<String> notes) {
        this.notes = notes;
    }

    @Override
    public void accept(String sentence) {
        try {
            writer.execute(() -> notes.accept(sentence));
        } catch (RejectedExecutionException closed) {
            // The worker has ended.
        }
    }

    @Override
    public void close() {
        writer.shutdown();
        try {
            writer.awaitTermination(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        writer.shutdownNow();
    }
}
