package io.holdfast.store.embedded;

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
 * The data file together with what is known of its health. All methods belong to the writer, except {@link #refusal()} and
 * {@link #isProven()}.
 *
 * <p>A commit that failed because there is no room has certainly not reached the disk, and is rolled back. After any other
 * error that is not known. The disk then refuses changes until the file was reopened, the records of the failed commit
 * were read back, and a probe was written. All other records are in memory as they were acknowledged, so they are not read
 * again.
 */
final class EmbeddedDisk {
    private static final Logger LOG = Logger.getLogger(EmbeddedDisk.class);
    private static final String PROBE_KEY = "room";
    /** Longer than any lock's record: where the probe fits, a new lock fits. */
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
    static EmbeddedDisk open(
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

    /** Why no change is taken, if so. */
    Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Whether a change was written lately, and there was room for all. If not, only a probe can tell. */
    boolean isProven() {
        return !isFull && nanoTime.getAsLong() - lastWrite < config.probeEvery().toNanos();
    }

    /** A change like any other: goes into the draft. */
    void putProbe() {
        probe.put(PROBE_KEY, PROBE);
    }

    void removeProbe() {
        probe.delete(PROBE_KEY);
    }

    /** Writes all batches. When this returns they are on disk and visible. Returns false if there was nothing to write. */
    boolean commit() throws SQLException {
        var proves = !probe.unchanged();
        if (!file.commit(tables)) {
            return false;
        }
        tables.forEach(EmbeddedTable::publish);
        lastWrite = nanoTime.getAsLong();
        if (proves && isFull) {
            isFull = false;
            LOG.info("Data file has room again");
        }
        failuresInARow = 0;
        return true;
    }

    /** Takes back a commit for which there was no room. Returns false if it failed for another reason. */
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

    /** A change had no room. Others may still have: those that make no record longer. */
    String full(SQLException cause) {
        if (!isFull) {
            isFull = true;
            LOG.errorf("Commit failed changes=1 error=\"%s\"", cause.getMessage());
        }
        return "The data file cannot be written: " + cause.getMessage()
                + ". Make room on the disk, or raise holdfast.embedded.file-megabytes-max.";
    }

    /** Whether the last commit reached the disk is not known. */
    String broke(Throwable cause) {
        refusal = "The data file cannot be written: " + cause.getMessage() + ".";
        reopenAt = nanoTime.getAsLong() + backoff().toNanos();
        failuresInARow++;
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
            LOG.info("Data file takes changes again");
        } catch (SQLException | RuntimeException e) {
            broke(e);
            // At a growing distance: the first, the second, the fourth, the eighth …
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

    /** The first of the two commits also writes again what was read back, so that it is certain to be on disk. */
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

    /** No pause after the first failure: most are over at once. */
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

    /** Memory and another file do not fit together. */
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
