package io.holdfast.stage;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** A real PostgreSQL server in a folder of its own: processes that are shut down and started again. */
public final class PostgresMachine implements Machine, AutoCloseable {
    private static final Duration START_MAX = Duration.ofMinutes(2);

    private final Path folder;
    private final int port;
    private volatile String state = "STOPPED";
    private EmbeddedPostgres server;

    /** Starts it and waits until it answers. What is written to it is there again after a stop. */
    public PostgresMachine(Path folder) {
        this.folder = folder;
        this.port = freePort();
        startNow();
    }

    public int port() {
        return port;
    }

    @Override
    public String state() {
        return state;
    }

    @Override
    public void stop() {
        state = "STOPPING";
        Thread.ofVirtual().start(this::stopNow);
    }

    @Override
    public void start() {
        state = "STARTING";
        Thread.ofVirtual().start(this::startNow);
    }

    private synchronized void stopNow() {
        try {
            if (server != null) {
                server.close();
                server = null;
            }
            state = "STOPPED";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void startNow() {
        try {
            if (server == null) {
                server = EmbeddedPostgres.builder()
                        .setPort(port)
                        .setDataDirectory(folder.resolve("data"))
                        .setOverrideWorkingDirectory(
                                Files.createDirectories(folder.resolve("work")).toFile())
                        .setCleanDataDirectory(false)
                        .setPGStartupWait(START_MAX)
                        .start();
            }
            state = "RUNNING";
        } catch (IOException e) {
            state = "STOPPED";
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a statement that answers one value, over a connection of its own. */
    public String ask(String sql) throws SQLException {
        var url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&connectTimeout=60";
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (var rows = statement.getResultSet()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    @Override
    public void close() {
        stopNow();
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
