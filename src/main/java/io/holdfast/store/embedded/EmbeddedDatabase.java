package io.holdfast.store.embedded;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.kernel.CannotStartException;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.store.StoreCheck;
import io.holdfast.store.StoreTelemetry;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * One file, one writer. Changes from any thread queue up; the writer decides them one after the other, and answers when
 * they are on disk. Each change is answered by its deadline, with 503 if need be.
 *
 * <p>Reads see the last state that was committed, also while the disk fails: that is what callers were told. A change that
 * was answered with 503 becomes visible if the file turns out to have it.
 */
public final class EmbeddedDatabase implements AutoCloseable, StoreCheck {
    private static final Logger LOG = Logger.getLogger(EmbeddedDatabase.class);

    private final DataFolder folder;
    private final EmbeddedDisk disk;
    private final ChangeQueue queue;
    private final EmbeddedWriter writer;
    private final Supplier<Executor> answerOn;
    private final LongSupplier nanoTime;

    /**
     * @param answerOn asked once per change, on the caller's thread: where that caller wants its answer
     * @param telemetry hears how long commits take
     */
    public record Surroundings(Supplier<Executor> answerOn, StoreTelemetry telemetry) {}

    private EmbeddedDatabase(
            DataFolder folder,
            EmbeddedDisk disk,
            ChangeQueue queue,
            EmbeddedWriter writer,
            Supplier<Executor> answerOn,
            LongSupplier nanoTime) {
        this.folder = folder;
        this.disk = disk;
        this.queue = queue;
        this.writer = writer;
        this.answerOn = answerOn;
        this.nanoTime = nanoTime;
    }

    static EmbeddedDatabase open(
            Path dataDir,
            EmbeddedConfig config,
            Surroundings surroundings,
            List<EmbeddedTable<?>> tables,
            DataFile.Opener opener,
            LongSupplier nanoTime) {
        check(config);
        var folder = DataFolder.open(dataDir);
        var disk = new EmbeddedDisk(folder, config, opener, nanoTime, tables);
        try {
            disk.load();
        } catch (SQLException e) {
            folder.close();
            throw new CannotStartException(
                    "The data file " + folder.database().toAbsolutePath().normalize() + " cannot be opened: "
                            + e.getMessage() + ". Restore it, or set HOLDFAST_DATA_DIR to another folder.",
                    e);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
        var queue = new ChangeQueue(config, nanoTime);
        var writer = new EmbeddedWriter(disk, queue, nanoTime, surroundings.telemetry());
        writer.start();
        queue.start();
        return new EmbeddedDatabase(folder, disk, queue, writer, surroundings.answerOn(), nanoTime);
    }

    private static void check(EmbeddedConfig config) {
        requireAtLeast("holdfast.embedded.batch-max", config.batchMax(), 1);
        requireAtLeast("holdfast.embedded.queue-max", config.queueMax(), 1);
        requireAtLeast("holdfast.embedded.file-megabytes-max", config.fileMegabytesMax(), 1);
        var shortest = Duration.ofMillis(1);
        requireAtLeast("holdfast.embedded.change-timeout", config.changeTimeout(), "1ms", shortest);
        requireAtLeast("holdfast.embedded.reopen-backoff-base", config.reopenBackoffBase(), "1ms", shortest);
        requireAtLeast(
                "holdfast.embedded.reopen-backoff-max",
                config.reopenBackoffMax(),
                "holdfast.embedded.reopen-backoff-base",
                config.reopenBackoffBase());
        requireAtLeast("holdfast.embedded.probe-every", config.probeEvery(), "1ms", shortest);
    }

    /** A clock that only ever goes forward. */
    long nanos() {
        return nanoTime.getAsLong();
    }

    /** Runs {@code decide} on the writer; what it puts into tables lasts when the answer arrives, or not at all. */
    <T> Uni<T> change(Supplier<T> decide) {
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

    /** Reads what is committed, at once, on the caller's thread. */
    <T> Uni<T> read(Supplier<T> look) {
        return Uni.createFrom().item(look);
    }

    /** Writes a probe unless a change was written lately: only a write proves that the next one would be taken. */
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

    /** Answers everything that was handed in before, then closes the file. */
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
            folder.close();
        }
    }
}
