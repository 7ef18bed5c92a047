package io.holdfast.boot;

import io.holdfast.cli.World;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** This machine, as the command line sees it. */
final class Machine {
    private static final int BUFFER = 1 << 16;

    private Machine() {}

    static World world() {
        // Not System.out: that one is flushed with every line.
        var out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER),
                false,
                StandardCharsets.UTF_8);
        var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        var terminals = new World.Terminals(isTerminal(0), isTerminal(1), isTerminal(2));
        return new World(
                System.getenv(),
                new World.Streams(System.in, out, err, terminals),
                Clock.systemUTC(),
                MachineSignals::hear,
                () -> new TableDesk(System.getenv(), Clock.systemUTC()));
    }

    /** Linux says what a stream is; elsewhere the shell's own test does. */
    private static boolean isTerminal(int stream) {
        try {
            var target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException notLinux) {
            return asksTheShell(stream);
        }
    }

    private static boolean asksTheShell(int stream) {
        try {
            return new ProcessBuilder("sh", "-c", "test -t " + stream)
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noShell) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
