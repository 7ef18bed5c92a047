package io.holdfast.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Figures, not facts: `make bench` prints them. What is packaged is started again and again on the embedded store, each
 * time with a new folder; a native program if there is one.
 */
@Tag("benchmark")
class StartBenchmark {
    private static final int ROUNDS = 15;
    private static final long IDLE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final byte[] REQUEST =
            "GET /v1/locks/none HTTP/1.1\r\nHost: start\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** @param rssKiB of the idle program, some time after its first answer */
    private record Start(Duration firstAnswer, Duration cpu, long rssKiB) {}

    @Test
    void firstAnswer() {
        if (PackagedProgram.isNative()) {
            print("native", List.of());
            return;
        }
        print("JVM, as `make run` starts it", List.of());
        print("JVM, " + String.join(" ", StartUpArchive.QUICK), StartUpArchive.QUICK);
        print("JVM, the same with the AOT cache", StartUpArchive.flags());
    }

    private static void print(String what, List<String> flags) {
        var starts = Stream.generate(() -> start(flags)).limit(ROUNDS).toList();
        System.out.printf(
                "BENCH start, %s: first answer after %d ms, %d ms of CPU, %d MiB resident when idle (medians of %d)%n",
                what,
                median(starts, start -> start.firstAnswer().toMillis()),
                median(starts, start -> start.cpu().toMillis()),
                median(starts, start -> start.rssKiB() / 1024),
                ROUNDS);
    }

    private static long median(List<Start> starts, Function<Start, Long> figure) {
        return starts.stream()
                .map(figure)
                .sorted(Comparator.naturalOrder())
                .toList()
                .get(ROUNDS / 2);
    }

    private static Start start(List<String> flags) {
        var port = freePort();
        var environment =
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(), "QUARKUS_HTTP_PORT", "" + port);
        var begun = System.nanoTime();
        try (var program = PackagedProgram.launch(environment, flags)) {
            awaitAnswer(new InetSocketAddress("127.0.0.1", port), program);
            var firstAnswer = Duration.ofNanos(System.nanoTime() - begun);
            var cpu = program.handle().info().totalCpuDuration().orElse(Duration.ZERO);
            LockSupport.parkNanos(IDLE_NANOS);
            return new Start(firstAnswer, cpu, rssKiB(program.handle().pid()));
        }
    }

    private static void awaitAnswer(InetSocketAddress address, PackagedProgram program) {
        while (!answers(address)) {
            if (!program.isAlive()) {
                throw new IllegalStateException("The program has ended:\n" + program.output());
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }

    private static boolean answers(InetSocketAddress address) {
        try (var socket = new Socket()) {
            socket.connect(address);
            socket.getOutputStream().write(REQUEST);
            return socket.getInputStream().read() >= 0;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long rssKiB(long pid) {
        try (var lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
