package io.holdfast.boot.cli;

import io.holdfast.boot.aws.DynamoDbTableAdmin;
import io.holdfast.cli.Cli;
import io.holdfast.cli.base.CliEnvironment;
import io.quarkus.runtime.ImageMode;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** Runs the command line with the environment, streams and signals of this process. */
public final class CliLauncher {
    private static final int BUFFER = 1 << 16;

    private CliLauncher() {}

    /** Standard output. Remembers a failed write. */
    static final class Output extends FilterOutputStream {
        private static final String READER_CLOSED = "Broken pipe";

        private IOException failure;

        Output(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        /** Why output was lost. A reader that closed the pipe is no error. */
        Optional<String> writeError() {
            return Optional.ofNullable(failure)
                    .map(e -> String.valueOf(e.getMessage()))
                    .filter(why -> !why.equals(READER_CLOSED));
        }
    }

    /**
     * Runs the command line and returns its exit code.
     *
     * @param serve runs the service with the given settings, for {@code holdfast serve}
     */
    public static int run(ToIntFunction<Map<String, String>> serve, String... words) {
        var all = words;
        if (isNative()) {
            // A native program has no Java home, and so no jspawnhelper.
            System.getProperties().putIfAbsent("jdk.lang.Process.launchMechanism", "FORK");
            all = NativeArguments.ofProcess(words);
            NativeArguments.propertiesOfOthers(all).forEach(System::clearProperty);
        }
        var output = new Output(new FileOutputStream(FileDescriptor.out));
        var environment = environment(output, serve);
        var exit = Cli.run(environment, all);
        environment.streams().out().flush();
        if (exit == 0 && output.writeError().isPresent()) {
            System.err.println("holdfast: The result could not be written: "
                    + output.writeError().get() + ".");
            return 1;
        }
        return exit;
    }

    private static boolean isNative() {
        return ImageMode.current() == ImageMode.NATIVE_RUN;
    }

    private static CliEnvironment environment(OutputStream output, ToIntFunction<Map<String, String>> serve) {
        // System.out is flushed with every line, which is slow.
        var out = new PrintStream(new BufferedOutputStream(output, BUFFER), false, StandardCharsets.UTF_8);
        var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        var terminals = new CliEnvironment.Terminals(isTerminal(0), isTerminal(1), isTerminal(2), TerminalWidth::ask);
        return new CliEnvironment(
                System.getenv(),
                new CliEnvironment.Streams(System.in, out, err, terminals),
                Clock.systemUTC(),
                ProcessSignals::listen,
                timeout -> new DynamoDbTableAdmin(System.getenv(), Clock.systemUTC(), timeout),
                serve::applyAsInt);
    }

    /** Reads {@code /proc} on Linux. Other systems use {@code test -t} of the shell. */
    private static boolean isTerminal(int stream) {
        try {
            var target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException notLinux) {
            return isTerminalByShell(stream);
        }
    }

    private static boolean isTerminalByShell(int stream) {
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
