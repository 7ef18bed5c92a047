package io.holdfast.store.embedded.engine;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.sqlite.JDBC;

/** The SQLite file, opened exclusively. Every commit is on disk before it returns. */
public final class EmbeddedFile implements DataFile {
    public static final Opener OPENER = new Opener() {
        @Override
        public DataFile open(Path path, int megabytesMax) throws SQLException {
            return EmbeddedFile.open(path, megabytesMax, false);
        }

        @Override
        public DataFile reopen(Path path, int megabytesMax) throws SQLException {
            return EmbeddedFile.open(path, megabytesMax, true);
        }
    };

    /** "HLDF". Identifies the file for the sqlite3 shell and {@code file}. */
    private static final int APPLICATION_ID = 0x484c4446;

    /** 2: the power state and decisions have other field names. Rows of format 1 are read as well. */
    private static final int FORMAT = 2;

    private static final long WAL_BYTES_MAX = 64L << 20;

    private final Connection connection;
    /** The format number in the file. The first row that an older program cannot read raises it. */
    private long format;

    private EmbeddedFile(Connection connection) {
        this.connection = connection;
    }

    private static EmbeddedFile open(Path path, int megabytesMax, boolean checkpoint) throws SQLException {
        var file = new EmbeddedFile(JDBC.createConnection(JDBC.PREFIX + path, new Properties()));
        try {
            file.configure(path, megabytesMax, checkpoint);
            return file;
        } catch (SQLException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public void load(List<EmbeddedTable<?>> tables) throws SQLException {
        for (var table : tables) {
            table.load(connection);
        }
        connection.commit();
    }

    @Override
    public void readBack(List<EmbeddedTable<?>> tables) throws SQLException {
        for (var table : tables) {
            table.readBack(connection);
        }
        connection.commit();
    }

    @Override
    public boolean commit(List<EmbeddedTable<?>> tables) throws SQLException {
        if (tables.stream().allMatch(EmbeddedTable::unchanged)) {
            return false;
        }
        var needed = Math.max(format, formatOfChanges(tables));
        if (needed != format) {
            raiseFormat(needed);
        }
        for (var table : tables) {
            table.write(connection);
        }
        connection.commit();
        format = needed;
        return true;
    }

    /** If the file was full, SQLite may have rolled back by itself. Then this only begins a new transaction. */
    @Override
    public void rollback() throws SQLException {
        try {
            connection.rollback();
        } catch (SQLException notActive) {
            try (var statement = connection.createStatement()) {
                // Fails if there still is a transaction.
                statement.execute("BEGIN");
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private void configure(Path path, int megabytesMax, boolean checkpoint) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA locking_mode = EXCLUSIVE");
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA journal_size_limit = " + WAL_BYTES_MAX);
            var pageSize = number(statement, "page_size");
            statement.execute("PRAGMA max_page_count = " + ((long) megabytesMax << 20) / pageSize);
            format = number(statement, "user_version");
            if (format > FORMAT) {
                throw new IllegalStateException(
                        "The data file " + path.toAbsolutePath().normalize()
                                + " has format " + format + " and this Holdfast knows up to " + FORMAT
                                + ". Run the newer Holdfast that wrote it.");
            }
            if (checkpoint) {
                // After a failed fsync, the log may be readable without being on disk. A checkpoint copies it into
                // the file.
                statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            }
            // The application id and the tables of a new file are written in one commit.
            connection.setAutoCommit(false);
            claim(statement, path);
        }
    }

    /** Marks a new file as Holdfast's. Writes nothing to an existing one, so it also opens on a full disk. */
    private void claim(Statement statement, Path path) throws SQLException {
        var application = number(statement, "application_id");
        if (application != 0 && application != APPLICATION_ID) {
            throw new IllegalStateException(
                    "The data file " + path.toAbsolutePath().normalize() + " belongs to another program.");
        }
        if (application == 0) {
            statement.execute("PRAGMA application_id = " + APPLICATION_ID);
            statement.execute("PRAGMA user_version = " + FORMAT);
            format = FORMAT;
        }
    }

    /** In the transaction of the commit: the number and the first rows of the new format reach the disk together. */
    private void raiseFormat(long needed) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = " + needed);
        }
    }

    private static long formatOfChanges(List<EmbeddedTable<?>> tables) {
        return tables.stream()
                .filter(table -> !table.unchanged())
                .mapToLong(EmbeddedTable::format)
                .max()
                .orElseThrow();
    }

    private static long number(Statement statement, String pragma) throws SQLException {
        try (var rows = statement.executeQuery("PRAGMA " + pragma)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
