package io.holdfast.bench;

import io.holdfast.boot.PackagedProgram;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A queue in a table of PostgreSQL, with {@code FOR UPDATE SKIP LOCKED}. One connection per worker, each step is one
 * statement and one transaction, and commits wait for the disk. All other settings are the defaults of PostgreSQL.
 */
final class PostgresJobs implements JobSystem {
    private static final String UNIQUE_VIOLATION = "23505";
    private static final Duration START_MAX = Duration.ofMinutes(2);

    /** The second index keeps two jobs of one cluster from running at the same time. */
    private static final String[] SCHEMA = {
        """
        CREATE TABLE jobs (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            cluster text NOT NULL,
            type text NOT NULL,
            params jsonb NOT NULL,
            status text NOT NULL DEFAULT 'QUEUED',
            worker text,
            epoch bigint,
            lease_until timestamptz,
            created_at timestamptz NOT NULL DEFAULT now(),
            started_at timestamptz,
            ended_at timestamptz)""",
        "CREATE INDEX jobs_queued ON jobs (id) WHERE status = 'QUEUED'",
        "CREATE UNIQUE INDEX jobs_running ON jobs (cluster) WHERE status = 'RUNNING'",
        "CREATE SEQUENCE epochs"
    };

    private static final String SUBMIT =
            "INSERT INTO jobs (cluster, type, params) VALUES (?, 'SCALE_WORKERS', '{\"workers\":3}') RETURNING id";
    private static final String CLAIM =
            """
            UPDATE jobs SET status = 'RUNNING', worker = ?, epoch = nextval('epochs'), started_at = now(),
                lease_until = now() + interval '60 minutes'
            WHERE id = (
                SELECT id FROM jobs AS queued
                WHERE status = 'QUEUED' AND NOT EXISTS (
                    SELECT FROM jobs AS running WHERE running.cluster = queued.cluster AND running.status = 'RUNNING')
                ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING id, epoch, cluster, type, params""";
    private static final String COMPLETE =
            """
            UPDATE jobs SET status = 'SUCCEEDED', ended_at = now()
            WHERE id = ? AND epoch = ? AND status = 'RUNNING' AND lease_until > now()""";

    private final EmbeddedPostgres server;

    PostgresJobs() throws IOException, SQLException {
        var folder = PackagedProgram.newDataFolder();
        server = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setOverrideWorkingDirectory(
                        Files.createDirectories(folder.resolve("work")).toFile())
                .setPGStartupWait(START_MAX)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        requireDurable();
    }

    /** The library starts a server for tests, whose commits do not wait for the disk unless told otherwise. */
    private void requireDurable() throws SQLException {
        if (!ask("SHOW fsync").equals("on") || !ask("SHOW synchronous_commit").equals("on")) {
            throw new IllegalStateException("PostgreSQL does not wait for the disk");
        }
    }

    @Override
    public String name() {
        return "PostgreSQL, SKIP LOCKED";
    }

    String version() throws SQLException {
        return ask("SHOW server_version");
    }

    /** A cluster is a value of a column. There is nothing to prepare for it. */
    @Override
    public void prepare(int clusters) throws SQLException {
        for (var statement : SCHEMA) {
            execute(statement);
        }
    }

    @Override
    public void beforeRound() throws SQLException {
        execute("VACUUM ANALYZE jobs");
    }

    private void execute(String sql) throws SQLException {
        try (var connection = open();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String ask(String sql) throws SQLException {
        try (var connection = open();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private Connection open() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres&connectTimeout=60");
    }

    @Override
    public Worker connect(int number) throws SQLException {
        return new JdbcWorker(open(), "worker-" + number);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private static final class JdbcWorker implements Worker {
        private final Connection connection;
        private final PreparedStatement submit;
        private final PreparedStatement claim;
        private final PreparedStatement complete;

        JdbcWorker(Connection connection, String name) throws SQLException {
            this.connection = connection;
            this.submit = connection.prepareStatement(SUBMIT);
            this.claim = connection.prepareStatement(CLAIM);
            this.complete = connection.prepareStatement(COMPLETE);
            claim.setString(1, name);
        }

        @Override
        public void submit(int cluster) throws SQLException {
            submit.setString(1, "c-" + cluster);
            try (var rows = submit.executeQuery()) {
                rows.next();
            }
        }

        @Override
        public Claimed claim() throws SQLException {
            while (true) {
                try (var rows = claim.executeQuery()) {
                    if (rows.next()) {
                        return new Claimed(rows.getString(1), rows.getLong(2));
                    }
                } catch (SQLException e) {
                    // Another worker has claimed a job of the same cluster at the same moment.
                    if (!UNIQUE_VIOLATION.equals(e.getSQLState())) {
                        throw e;
                    }
                }
            }
        }

        @Override
        public void complete(Claimed claimed) throws SQLException {
            complete.setLong(1, Long.parseLong(claimed.job()));
            complete.setLong(2, claimed.epoch());
            if (complete.executeUpdate() != 1) {
                throw new IllegalStateException("Not completed: " + claimed);
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
