package io.holdfast.store.embedded.engine;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** SQLite's data files, with faults on demand and a count of what is asked of them. */
public final class FaultyFiles implements DataFile.Opener {
    /** In both cases the caller sees the same error, and cannot tell which of them it was. */
    public enum Fault {
        NOT_WRITTEN,
        WRITTEN
    }

    public final AtomicInteger loads = new AtomicInteger();
    public final AtomicInteger reopens = new AtomicInteger();
    public final AtomicInteger commits = new AtomicInteger();

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private volatile boolean holding;
    private volatile boolean broken;
    private volatile boolean cannotReopen;
    private volatile Fault next;

    /** The next commit fails, and none after it. */
    public void failNextCommit(Fault fault) {
        next = fault;
    }

    /** Every commit fails. */
    public void failEveryCommit() {
        broken = true;
    }

    public void failEveryReopening() {
        cannotReopen = true;
    }

    /** What the error of this attempt says, so that a test can tell which attempt the store has got over with. */
    public static String failedReopening(int attempt) {
        return "reopening " + attempt + " failed";
    }

    public static String failedCommit(int attempt) {
        return "commit " + attempt + " failed";
    }

    public void heal() {
        next = null;
        broken = false;
        cannotReopen = false;
    }

    /** The next commit does not come to its end until it is let go. */
    public void holdNextCommit() {
        holding = true;
    }

    public void awaitHeld() {
        await(held);
    }

    public void letGo() {
        letGo.countDown();
    }

    @Override
    public DataFile open(Path path, int megabytesMax) throws SQLException {
        return new Faulty(EmbeddedFile.OPENER.open(path, megabytesMax));
    }

    @Override
    public DataFile reopen(Path path, int megabytesMax) throws SQLException {
        var attempt = reopens.incrementAndGet();
        if (cannotReopen) {
            throw error(SQLiteErrorCode.SQLITE_CANTOPEN, failedReopening(attempt));
        }
        return new Faulty(EmbeddedFile.OPENER.reopen(path, megabytesMax));
    }

    private static SQLiteException error(SQLiteErrorCode code, String message) {
        return new SQLiteException("[" + code + "] " + message, code);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Faulty implements DataFile {
        private final DataFile file;

        Faulty(DataFile file) {
            this.file = file;
        }

        @Override
        public void load(List<EmbeddedTable<?>> tables) throws SQLException {
            loads.incrementAndGet();
            file.load(tables);
        }

        @Override
        public void readBack(List<EmbeddedTable<?>> tables) throws SQLException {
            file.readBack(tables);
        }

        @Override
        public boolean commit(List<EmbeddedTable<?>> tables) throws SQLException {
            if (tables.stream().allMatch(EmbeddedTable::unchanged)) {
                return false;
            }
            var attempt = commits.incrementAndGet();
            if (holding) {
                holding = false;
                held.countDown();
                await(letGo);
            }
            var fault = next;
            next = null;
            if (broken || fault == Fault.NOT_WRITTEN) {
                throw error(SQLiteErrorCode.SQLITE_IOERR_WRITE, failedCommit(attempt));
            }
            var written = file.commit(tables);
            if (fault == Fault.WRITTEN) {
                throw error(SQLiteErrorCode.SQLITE_IOERR_FSYNC, failedCommit(attempt));
            }
            return written;
        }

        @Override
        public void rollback() throws SQLException {
            file.rollback();
        }

        @Override
        public void close() throws SQLException {
            file.close();
        }
    }
}
