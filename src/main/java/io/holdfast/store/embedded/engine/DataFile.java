package io.holdfast.store.embedded.engine;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** An open data file. Only the writer uses it. */
public interface DataFile extends AutoCloseable {
    /** Reads all tables, and creates those that are missing. */
    void load(List<EmbeddedTable<?>> tables) throws SQLException;

    /** Replaces each value that a table was about to write with the value that the file has under that key. */
    void readBack(List<EmbeddedTable<?>> tables) throws SQLException;

    /**
     * Writes the batches of all tables in one transaction with one fsync. Returns false if there is nothing to write.
     */
    boolean commit(List<EmbeddedTable<?>> tables) throws SQLException;

    /** Rolls back a failed commit. */
    void rollback() throws SQLException;

    @Override
    void close() throws SQLException;

    /** Opens data files. Tests replace it to inject failures. */
    interface Opener {
        /** Creates a missing file. Writes nothing to an existing one, so it also opens on a full disk. */
        DataFile open(Path path, int megabytesMax) throws SQLException;

        /** Opens the file after a failed commit. On return, the content of the write-ahead log is in the file. */
        DataFile reopen(Path path, int megabytesMax) throws SQLException;
    }
}
