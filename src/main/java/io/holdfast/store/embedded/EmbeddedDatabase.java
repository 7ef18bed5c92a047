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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * One file, one writer. Changes from any thread queue up; the writer takes all that wait, decides them one after the
 * other, commits them with one fsync, and only then answers. Reads see what is committed.
 *
 * <p>When a commit fails, nobody knows what reached the disk: the whole batch is answered as unavailable, and the file
 * is read anew before anything else is decided on it.
 */
public final class EmbeddedDatabase implements AutoCloseable, StoreCheck {
    private static final Logger LOG = Logger.getLogger(EmbeddedDatabase.class);

    private final DataFolder folder;
    private final EmbeddedConfig config;
    private final Supplier<Executor> answerOn;
    private final StoreTelemetry telemetry;
    private final List<EmbeddedTable<?>> tables;
    private final BlockingQueue<Change<?>> queue;
    private final Change<Void> lastChange = new Change<>(() -> null, Runnable::run);
    private final EmbeddedTable<String> probe = new EmbeddedTable<>("probe", EmbeddedTable.Codec.TEXT);
    private final Thread writer;

    private EmbeddedFile file;
    private volatile String broken;
    private volatile String lastFailure;
    private volatile boolean closing;
    private volatile boolean closed;

    /**
     * @param answerOn asked once per change, on the caller's thread: where that caller wants its answer
     * @param telemetry hears how long commits take
     */
    public record Surroundings(Supplier<Executor> answerOn, StoreTelemetry telemetry) {}

    private EmbeddedDatabase(
            DataFolder folder, EmbeddedConfig config, Surroundings surroundings, List<EmbeddedTable<?>> tables) {
        this.folder = folder;
        this.config = config;
        this.answerOn = surroundings.answerOn();
        this.telemetry = surroundings.telemetry();
        this.tables = Stream.concat(tables.stream(), Stream.of(probe)).toList();
        this.queue = new LinkedBlockingQueue<>(config.queueMax());
        this.writer = new Thread(this::run, "holdfast-embedded-writer");
        this.writer.setDaemon(true);
    }

    static EmbeddedDatabase open(
            Path dataDir, EmbeddedConfig config, Surroundings surroundings, List<EmbeddedTable<?>> tables) {
        requireAtLeast("holdfast.embedded.batch-max", config.batchMax(), 1);
        requireAtLeast("holdfast.embedded.queue-max", config.queueMax(), 1);
        requireAtLeast("holdfast.embedded.file-megabytes-max", config.fileMegabytesMax(), 1);
        var folder = DataFolder.open(dataDir);
        var database = new EmbeddedDatabase(folder, config, surroundings, tables);
        try {
            database.openFile();
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
        database.writer.start();
        return database;
    }

    /** Runs {@code decide} on the writer; what it puts into tables lasts when the answer arrives, or not at all. */
    <T> Uni<T> change(Supplier<T> decide) {
        return Uni.createFrom().completionStage(() -> submit(new Change<>(decide, answerOn.get())));
    }

    /** Reads what is committed, at once, on the caller's thread. */
    <T> Uni<T> read(Supplier<T> look) {
        return Uni.createFrom().item(() -> {
            if (broken != null) {
                throw new StoreUnavailableException(broken);
            }
            return look.get();
        });
    }

    @Override
    public Uni<List<String>> problems() {
        return change(() -> {
                    if (lastFailure != null) {
                        // The only proof that the disk takes changes again is a change.
                        probe.put("ready", "written after a failure");
                    }
                    return List.<String>of();
                })
                .onFailure()
                .recoverWithItem(e -> List.of(e.getMessage()));
    }

    /** Answers everything that was handed in before, then closes the file. */
    @Override
    public void close() {
        closing = true;
        try {
            queue.put(lastChange);
            writer.join();
            if (file != null) {
                file.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            LOG.warnf(e, "Data file not closed cleanly file=%s", folder.database());
        } finally {
            folder.close();
        }
    }

    private <T> CompletableFuture<T> submit(Change<T> change) {
        if (closing) {
            change.fail(new StoreUnavailableException("The service is shutting down."));
        } else if (!queue.offer(change)) {
            change.fail(new StoreUnavailableException("More than " + config.queueMax()
                    + " changes are waiting for the disk (holdfast.embedded.queue-max)."));
        } else if (closed) {
            failAllQueued();
        }
        return change.answer;
    }

    private void run() {
        try {
            serve();
        } finally {
            closed = true;
            failAllQueued();
        }
    }

    private void serve() {
        var batch = new ArrayList<Change<?>>();
        var open = true;
        while (open) {
            try {
                batch.add(queue.take());
                queue.drainTo(batch, config.batchMax() - 1);
                open = !batch.contains(lastChange);
                commit(batch);
            } catch (InterruptedException e) {
                open = false;
            } catch (Throwable e) {
                // The writer must outlive anything; what it was doing is in doubt.
                LOG.errorf(e, "Embedded store writer failed changes=%d", batch.size());
                fail(batch, e);
            }
            batch.clear();
        }
    }

    private void commit(List<Change<?>> batch) {
        var started = System.nanoTime();
        try {
            if (broken != null) {
                throw new SQLException(broken);
            }
            batch.forEach(change -> change.decide(tables));
            if (file.commit(tables)) {
                lastFailure = null;
                telemetry.called("commit", 0, Duration.ofNanos(System.nanoTime() - started), true);
            }
        } catch (SQLException e) {
            LOG.errorf("Commit failed changes=%d error=\"%s\"", batch.size(), e.getMessage());
            telemetry.called("commit", 0, Duration.ofNanos(System.nanoTime() - started), false);
            failed(batch, e);
            return;
        }
        tables.forEach(EmbeddedTable::publish);
        batch.forEach(Change::answer);
    }

    /** One change that does not fit must not take the others with it: each is tried by itself, on what is stored. */
    private void failed(List<Change<?>> batch, SQLException cause) {
        if (batch.size() == 1) {
            fail(batch, cause);
            return;
        }
        recover(cause);
        batch.forEach(change -> commit(List.of(change)));
    }

    private void fail(List<Change<?>> batch, Throwable cause) {
        lastFailure = broken == null ? "The data file cannot be written: " + cause.getMessage() + "." : broken;
        var failure = new StoreUnavailableException(lastFailure, cause);
        recover(cause);
        batch.forEach(change -> change.fail(failure));
    }

    private void failAllQueued() {
        for (var change = queue.poll(); change != null; change = queue.poll()) {
            change.fail(new StoreUnavailableException("The service is shutting down."));
        }
    }

    private void openFile() throws SQLException {
        file = EmbeddedFile.open(folder.database(), config.fileMegabytesMax(), tables);
    }

    /** Tried with every batch until it works, so a disk that heals is noticed by the next caller. */
    private void recover(Throwable cause) {
        if (broken == null && rolledBack(cause)) {
            return;
        }
        broken = broken == null ? "The data file cannot be written: " + cause.getMessage() + "." : broken;
        try {
            if (file != null) {
                var old = file;
                file = null;
                old.close();
            }
            openFile();
            broken = null;
            LOG.info("Data file read anew after a failed commit");
        } catch (SQLException | RuntimeException e) {
            LOG.errorf(e, "Data file cannot be read anew file=%s", folder.database());
        }
    }

    /** A file that is full is certain not to have taken anything; after any other error nobody knows. */
    private boolean rolledBack(Throwable cause) {
        if (!(cause instanceof SQLiteException e) || e.getResultCode() != SQLiteErrorCode.SQLITE_FULL) {
            return false;
        }
        try {
            file.rollback();
            tables.forEach(EmbeddedTable::discard);
            return true;
        } catch (SQLException alsoFailed) {
            return false;
        }
    }

    private static final class Change<T> {
        private final Supplier<T> decide;
        private final Executor answerOn;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private T decided;
        private RuntimeException refused;

        Change(Supplier<T> decide, Executor answerOn) {
            this.decide = decide;
            this.answerOn = answerOn;
        }

        void decide(List<EmbeddedTable<?>> tables) {
            try {
                decided = decide.get();
                tables.forEach(EmbeddedTable::keepDraft);
            } catch (RuntimeException e) {
                refused = e;
                tables.forEach(EmbeddedTable::dropDraft);
            }
        }

        void answer() {
            if (refused != null) {
                fail(refused);
            } else {
                deliver(() -> answer.complete(decided));
            }
        }

        void fail(RuntimeException cause) {
            deliver(() -> answer.completeExceptionally(cause));
        }

        /** Where the caller wants it, or here if that place is closed: the writer must not be lost over an answer. */
        private void deliver(Runnable answering) {
            try {
                answerOn.execute(answering);
            } catch (RejectedExecutionException closed) {
                answering.run();
            }
        }
    }
}
