package io.holdfast.store.embedded.engine;

import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.store.StoreCheck;
import io.holdfast.store.StoreTelemetry;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * One file and one writer. Changes from any thread are queued. The writer decides them one after the other, and answers
 * when they are on disk. A change that is not on disk by its deadline is answered with 503.
 *
 * <p>Reads return the last committed state, also while the disk fails. A change that was answered with 503 becomes
 * visible later if the file contains it after it is reopened.
 */
public final class EmbeddedDatabase implements AutoCloseable, StoreCheck {
    private static final Logger LOG = Logger.getLogger(EmbeddedDatabase.class);

    private final EmbeddedDisk disk;
    private final ChangeQueue queue;
    private final EmbeddedWriter writer;
    private final Supplier<Executor> answerOn;
    private final LongSupplier nanoTime;

    /**
     * @param answerOn called on the caller's thread, once per change: the executor on which the caller gets its answer
     */
    public EmbeddedDatabase(
            EmbeddedDisk disk,
            EmbeddedConfig config,
            Supplier<Executor> answerOn,
            StoreTelemetry telemetry,
            LongSupplier nanoTime) {
        this.disk = disk;
        this.answerOn = answerOn;
        this.nanoTime = nanoTime;
        this.queue = new ChangeQueue(config, nanoTime);
        this.writer = new EmbeddedWriter(disk, queue, nanoTime, telemetry);
        writer.start();
        queue.start();
    }

    /** The monotonic clock. */
    public long nanos() {
        return nanoTime.getAsLong();
    }

    /** Runs {@code decide} on the writer. Its changes to tables are on disk before the answer, or not made at all. */
    public <T> Uni<T> change(Supplier<T> decide) {
        return Uni.createFrom().completionStage(() -> submit(decide));
    }

    private <T> CompletableFuture<T> submit(Supplier<T> decide) {
        var change = new Change<>(decide, answerOn.get(), queue.deadline());
        var refusal = disk.refusal();
        if (refusal.isPresent()) {
            change.fail(new StoreUnavailableException(refusal.get()));
            return change.answer();
        }
        return queue.submit(change);
    }

    /** Reads the committed state on the caller's thread. */
    public <T> Uni<T> read(Supplier<T> query) {
        return Uni.createFrom().item(query);
    }

    /** Writes a probe record unless there was a recent write. Only a write proves that the disk accepts changes. */
    @Override
    public Uni<List<String>> problems() {
        return Uni.createFrom().deferred(() -> {
            var known = disk.refusal().or(queue::problem);
            if (known.isPresent()) {
                return Uni.createFrom().item(List.of(known.get()));
            }
            return disk.isProven() ? Uni.createFrom().item(List.of()) : probe();
        });
    }

    private Uni<List<String>> probe() {
        return change(() -> probing(disk::putProbe))
                .chain(() -> change(() -> probing(disk::removeProbe)))
                .replaceWith(List.<String>of())
                .onFailure()
                .recoverWithItem(e -> List.of(e.getMessage()));
    }

    private static Void probing(Runnable put) {
        put.run();
        return null;
    }

    /** Answers all accepted changes, then closes the file. */
    @Override
    public void close() {
        try {
            queue.close();
            writer.join();
            disk.close();
        } catch (InterruptedException e) {
            LOG.debug("Interrupted while the data file was closing");
            Thread.currentThread().interrupt();
        } finally {
            disk.unlockFolder();
        }
    }
}
