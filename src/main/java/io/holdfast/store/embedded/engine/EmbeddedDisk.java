package io.holdfast.store.embedded.engine;

import io.holdfast.kernel.CannotStartException;
import io.holdfast.kernel.Durations;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The data file and its health. Only the writer calls its methods, except {@link #refusal()} and {@link #isProven()}.
 *
 * <p>A commit that failed because the disk is full has not reached the disk, and is rolled back. After any other error
 * the result is not known. Then the disk refuses changes until the file is reopened, the records of the failed commit
 * are read back, and a probe record is written. All other records in memory are the acknowledged ones and are not read
 * again.
 */
public final class EmbeddedDisk {
    private static final Logger LOG = Logger.getLogger(EmbeddedDisk.class);
    private static final String PROBE_KEY = "room";
    /** Longer than the record of any lock. If there is room for the probe, there is room for a new lock. */
    private static final String PROBE = "-".repeat(32 << 10);

    private final DataFolder folder;
    private final EmbeddedConfig config;
    private final DataFile.Opener opener;
    private final LongSupplier nanoTime;
    private final List<EmbeddedTable<?>> tables;
    private final EmbeddedTable<String> probe = new EmbeddedTable<>("probe", EmbeddedTable.Codec.TEXT);

    private DataFile file;
    private Optional<Object> identity = Optional.empty();
    private int failuresInARow;
    private long reopenAt;
    private volatile String refusal;
    private volatile boolean isFull;
    private volatile long lastWrite;

    /** Opens the folder and the file, and reads all tables. */
    public static EmbeddedDisk open(
            Path dataDir,
            EmbeddedConfig config,
            DataFile.Opener opener,
            LongSupplier nanoTime,
            List<EmbeddedTable<?>> tables) {
        var folder = DataFolder.open(dataDir);
        try {
            var disk = new EmbeddedDisk(folder, config, opener, nanoTime, tables);
            disk.load();
            return disk;
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
    }

    private EmbeddedDisk(
            DataFolder folder,
            EmbeddedConfig config,
            DataFile.Opener opener,
            LongSupplier nanoTime,
            List<EmbeddedTable<?>> tables) {
        this.folder = folder;
        this.config = config;
        this.opener = opener;
        this.nanoTime = nanoTime;
        this.tables = Stream.concat(tables.stream(), Stream.of(probe)).toList();
        this.lastWrite = nanoTime.getAsLong() - config.probeEvery().toNanos();
    }

    private void load() throws SQLException {
        file = opener.open(folder.database(), config.fileMegabytesMax());
        try {
            file.load(tables);
        } catch (SQLException | RuntimeException e) {
            closeQuietly();
            throw e;
        }
        identity = folder.databaseIdentity();
    }

    List<EmbeddedTable<?>> tables() {
        return tables;
    }

    /** The reason if the disk refuses changes. */
    Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Whether there was a recent write, and the disk is not full. Otherwise a probe is needed. */
    boolean isProven() {
        return !isFull && nanoTime.getAsLong() - lastWrite < config.probeEvery().toNanos();
    }

    /** Part of a change: writes into the draft. */
    void putProbe() {
        probe.put(PROBE_KEY, PROBE);
    }

    void removeProbe() {
        probe.delete(PROBE_KEY);
    }

    /** Writes all batches. On return they are on disk and visible. Returns false if there was nothing to write. */
    boolean commit() throws SQLException {
        var proves = !probe.unchanged();
        if (!file.commit(tables)) {
            return false;
        }
        tables.forEach(EmbeddedTable::publish);
        lastWrite = nanoTime.getAsLong();
        if (proves && isFull) {
            isFull = false;
            LOG.info("Data file accepts new records again");
        }
        failuresInARow = 0;
        return true;
    }

    /** Rolls back a commit that failed because the disk is full. Returns false if it failed for another reason. */
    boolean rolledBack(SQLException cause) {
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

    /** There was no room for a change. Changes that do not enlarge a record may still succeed. */
    String full(SQLException cause) {
        if (!isFull) {
            isFull = true;
            LOG.errorf("Commit failed changes=1 error=\"%s\"", cause.getMessage());
        }
        return "The data file cannot be written: " + cause.getMessage()
                + ". Make room on the disk, or raise holdfast.embedded.file-megabytes-max.";
    }

    /** Call it if it is not known whether the last commit reached the disk. */
    String broke(Throwable cause) {
        reopenAt = nanoTime.getAsLong() + backoff().toNanos();
        failuresInARow++;
        // Last, because other threads read it: a reader who sees this failure may rely on its pause having begun.
        refusal = "The data file cannot be written: " + cause.getMessage() + ".";
        return refusal;
    }

    /** How long to wait before the file is reopened. */
    Duration reopenIn() {
        return Duration.ofNanos(Math.max(0, reopenAt - nanoTime.getAsLong()));
    }

    void reopen() {
        closeQuietly();
        try {
            requireTheSameFile();
            file = opener.reopen(folder.database(), config.fileMegabytesMax());
            file.readBack(tables);
            writeProbe();
            refusal = null;
            isFull = false;
            LOG.info("Data file accepts changes again");
        } catch (SQLException | RuntimeException e) {
            broke(e);
            // At growing intervals: attempts 1, 2, 4, 8 …
            if (Integer.bitCount(failuresInARow - 1) == 1) {
                LOG.errorf(
                        "Data file cannot be reopened file=%s attempts=%d error=\"%s\"",
                        folder.database(), failuresInARow - 1, e.getMessage());
            }
        }
    }

    void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (SQLException e) {
            LOG.warnf(e, "Data file not closed cleanly file=%s", folder.database());
        }
    }

    /** Lets another process use the folder. */
    void unlockFolder() {
        folder.close();
    }

    /** The first of the two commits also writes the records that were read back, so they are certainly on disk. */
    private void writeProbe() throws SQLException {
        putProbe();
        commitProbe();
        removeProbe();
        commitProbe();
    }

    private void commitProbe() throws SQLException {
        probe.keepDraft();
        file.commit(tables);
        tables.forEach(EmbeddedTable::publish);
        lastWrite = nanoTime.getAsLong();
    }

    /** No pause after the first failure, because most failures are short. */
    private Duration backoff() {
        if (failuresInARow == 0) {
            return Duration.ZERO;
        }
        var max = config.reopenBackoffMax();
        var pause = config.reopenBackoffBase();
        for (var i = 1; i < failuresInARow && pause.compareTo(max) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return Durations.min(pause, max);
    }

    /** The records in memory belong to the file that was loaded. */
    private void requireTheSameFile() {
        if (!identity.equals(folder.databaseIdentity())) {
            throw new IllegalStateException("The data file "
                    + folder.database().toAbsolutePath().normalize()
                    + " was removed or replaced while the service ran. Restart the service");
        }
    }

    private void closeQuietly() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (SQLException e) {
            LOG.debugf(e, "Data file not closed cleanly file=%s", folder.database());
        }
        file = null;
    }
}
