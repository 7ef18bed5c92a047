package io.holdfast.store.embedded;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** An open data file. Belongs to the writer alone. */
interface DataFile extends AutoCloseable {
    /** Reads all tables, and creates those that are missing. */
    void load(List<EmbeddedTable<?>> tables) throws SQLException;

    /** Replaces each value that a table was about to write with the value that the file has under that key. */
    void readBack(List<EmbeddedTable<?>> tables) throws SQLException;

    /** All tables' batches in one transaction with one fsync. Returns false if there is nothing to write. */
    boolean commit(List<EmbeddedTable<?>> tables) throws SQLException;

    /** Undoes what a failed commit has begun. */
    void rollback() throws SQLException;

    @Override
    void close() throws SQLException;

    /** Opens data files. Tests use one whose files fail. */
    interface Opener {
        /** Creates the file if it does not exist. Writes nothing to an existing one, so it also opens on a full disk. */
        DataFile open(Path path, int megabytesMax) throws SQLException;

        /** After a failed commit. What the write-ahead log holds is on disk in the file itself when this returns. */
        DataFile reopen(Path path, int megabytesMax) throws SQLException;
    }
}
