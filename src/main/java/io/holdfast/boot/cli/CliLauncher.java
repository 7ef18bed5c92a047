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

/** This machine, as the command line sees it. */
public final class CliLauncher {
    private static final int BUFFER = 1 << 16;

    private CliLauncher() {}

    /** What a command writes, and what has become of it. */
    static final class Output extends FilterOutputStream {
        private static final String NOBODY_READS = "Broken pipe";

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

        /** Why some of it is lost. Whoever stops reading has had enough of it. */
        Optional<String> loss() {
            return Optional.ofNullable(failure)
                    .map(e -> String.valueOf(e.getMessage()))
                    .filter(why -> !why.equals(NOBODY_READS));
        }
    }

    /**
     * Runs the command line and returns its exit code.
     *
     * @param serve runs the service with these settings, for {@code holdfast serve}
     */
    public static int run(ToIntFunction<Map<String, String>> serve, String... words) {
        var all = words;
        if (isNative()) {
            // There is no Java home whose helper could start a process for us.
            System.getProperties().putIfAbsent("jdk.lang.Process.launchMechanism", "FORK");
            all = NativeArguments.ofProcess(words);
            NativeArguments.propertiesOfOthers(all).forEach(System::clearProperty);
        }
        var output = new Output(new FileOutputStream(FileDescriptor.out));
        var environment = world(output, serve);
        var exit = Cli.run(environment, all);
        environment.streams().out().flush();
        if (exit == 0 && output.loss().isPresent()) {
            System.err.println("holdfast: The result could not be written: "
                    + output.loss().get() + ".");
            return 1;
        }
        return exit;
    }

    private static boolean isNative() {
        return ImageMode.current() == ImageMode.NATIVE_RUN;
    }

    private static CliEnvironment world(OutputStream output, ToIntFunction<Map<String, String>> serve) {
        // Not System.out: that one is flushed with every line.
        var out = new PrintStream(new BufferedOutputStream(output, BUFFER), false, StandardCharsets.UTF_8);
        var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        var terminals = new CliEnvironment.Terminals(isTerminal(0), isTerminal(1), isTerminal(2), TerminalWidth::ask);
        return new CliEnvironment(
                System.getenv(),
                new CliEnvironment.Streams(System.in, out, err, terminals),
                Clock.systemUTC(),
                ProcessSignals::hear,
                () -> new DynamoDbTableAdmin(System.getenv(), Clock.systemUTC()),
                serve::applyAsInt);
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
