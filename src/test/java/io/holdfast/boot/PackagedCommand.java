package io.holdfast.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** What was packaged, as a command: a process with a stdin, a stdout, a stderr and an exit code. */
public final class PackagedCommand implements AutoCloseable {
    private static final StartUpArchive ARCHIVE = new StartUpArchive("command-start.archive", PackagedCommand::once);
    private static final List<String> SIGNALS_HEARD = signalsHeard();
    private static final Path OUTPUT = PackagedProgram.TARGET.resolve("command-output");
    private static final Duration END_MAX = Duration.ofMinutes(4);

    private final Process process;
    private final Path out;
    private final Path err;

    private PackagedCommand(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Its words are its arguments, as a shell would hand them over. */
    public static PackagedCommand start(Map<String, String> environment, String... words) {
        return launch(environment, commandLine(words));
    }

    /** Whatever a shell can do, also with our command. */
    public static PackagedCommand script(Map<String, String> environment, String script) {
        return launch(environment, List.of("sh", "-c", script));
    }

    /** What to type to run it; what has to be quoted is. */
    public static String typed() {
        return "'" + String.join("' '", commandLine()) + "'";
    }

    public static List<String> commandLine(String... words) {
        var command = new ArrayList<>(PackagedProgram.command(ARCHIVE.made()));
        command.addAll(List.of(words));
        return command;
    }

    private static PackagedCommand launch(Map<String, String> environment, List<String> command) {
        try {
            var folder = Files.createDirectories(OUTPUT);
            var id = UUID.randomUUID().toString();
            var out = folder.resolve(id + ".out");
            var err = folder.resolve(id + ".err");
            var builder = new ProcessBuilder(hearing(command))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("AWS_"));
            builder.environment().putAll(environment);
            return new PackagedCommand(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whoever runs the tests in the background has them ignore Ctrl-C, and what they start as well. */
    private static List<String> hearing(List<String> command) {
        var hearing = new ArrayList<>(SIGNALS_HEARD);
        hearing.addAll(command);
        return hearing;
    }

    private static List<String> signalsHeard() {
        var heard = List.of("env", "--default-signal=HUP,INT,QUIT");
        try {
            var tried = new ArrayList<>(heard);
            tried.add("true");
            return new ProcessBuilder(tried).start().waitFor() == 0 ? heard : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while signals were looked at", e);
        }
    }

    /** What a first run of the command loads, so that later ones need not look for it. */
    private static void once(List<String> flags) {
        try (var program = PackagedProgram.start(Map.of(
                "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(), "HOLDFAST_DRAIN_DELAY", "0s"))) {
            var command = new ArrayList<>(PackagedProgram.command(flags));
            command.addAll(List.of("exec", "--lock", "archive", "--", "true"));
            try (var first = launch(Map.of("HOLDFAST_URL", program.address().toString()), command)) {
                first.awaitExit();
            }
        }
    }

    public Process process() {
        return process;
    }

    /** Types this, and then nothing more. */
    public PackagedCommand typing(String text) {
        try (var in = process.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    public int awaitExit() {
        return awaitExit(END_MAX);
    }

    int awaitExit(Duration atMost) {
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("The command has not ended:\n" + out() + err());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a command was running", e);
        }
    }

    public String out() {
        return read(out);
    }

    public String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
