package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many shells, one lock, one file, and a service that dies in between. */
class ExecStormIT {
    private static final int SHELLS = 100;
    /** A JVM for each needs memory and its share of the processors; the native program does not. */
    private static final int AT_ONCE = PackagedProgram.isNative() ? SHELLS : 20;

    private static final List<Integer> KILLED_AT = List.of(SHELLS / 3, 2 * SHELLS / 3);
    private static final Duration STORM_MAX = Duration.ofMinutes(4);

    /** Reads, is slow, writes: without the lock, most increments would be lost. */
    private static final String INCREMENT =
            "n=$(cat counter); sleep 0.02; echo $((n + 1)) >counter; echo \"$HOLDFAST_FENCING_TOKEN\" >>tokens";

    @TempDir
    private Path folder;

    @Test
    void aHundredShellsIncrementACounterAndNoneIsLostThoughTheServiceIsKilledMeanwhile()
            throws IOException, ExecutionException, InterruptedException {
        Files.writeString(counter(), "0\n");
        var environment = Map.of(
                "HOLDFAST_DATA_DIR",
                PackagedProgram.newDataFolder().toString(),
                "QUARKUS_HTTP_PORT",
                "" + freePort(),
                "HOLDFAST_WAIT_QUEUE_MAX",
                "" + SHELLS);
        PackagedCommand.commandLine();
        var program = PackagedProgram.start(environment);
        try (var shells = Executors.newFixedThreadPool(AT_ONCE)) {
            var url = program.address().toString();
            var running = new ArrayList<Future<Integer>>();
            for (var i = 0; i < SHELLS; i++) {
                running.add(shells.submit(() -> increment(url)));
            }
            for (var moment : KILLED_AT) {
                await().atMost(STORM_MAX).pollInterval(Duration.ofMillis(20)).until(() -> count() >= moment);
                program.kill9();
                program.awaitExit();
                program = PackagedProgram.start(environment);
            }

            for (var shell : running) {
                assertThat(shell.get()).isZero();
            }
        } finally {
            program.close();
        }

        assertThat(count()).isEqualTo(SHELLS);
        var tokens = Files.readAllLines(folder.resolve("tokens")).stream()
                .map(Long::valueOf)
                .toList();
        assertThat(tokens).hasSize(SHELLS).doesNotHaveDuplicates().isSorted();
    }

    private int increment(String url) {
        try (var command = PackagedCommand.script(
                Map.of("HOLDFAST_URL", url, "FOLDER", folder.toString()),
                "cd \"$FOLDER\" && exec " + PackagedCommand.typed()
                        + " exec --lock counter --wait 5m --ttl 30s -- sh -c '" + INCREMENT + "'")) {
            return command.awaitExit(STORM_MAX);
        }
    }

    private Path counter() {
        return folder.resolve("counter");
    }

    /** In the moment in which it is written it is empty. */
    private int count() {
        try {
            var text = Files.readString(counter()).strip();
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
