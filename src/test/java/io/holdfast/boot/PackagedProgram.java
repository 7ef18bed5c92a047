package io.holdfast.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * What was packaged, as a process: the native program if there is one, else the JVM's. It listens on a free port of the
 * loopback interface, logs to a file below target, and is killed when it is closed.
 */
public final class PackagedProgram implements AutoCloseable {
    static final Path TARGET = Path.of("target").toAbsolutePath();

    private static final Path JAR = TARGET.resolve("quarkus-app/quarkus-run.jar");
    private static final Path LOGS = TARGET.resolve("program-logs");
    private static final Duration START_MAX = Duration.ofMinutes(4);
    private static final Duration END_MAX = Duration.ofMinutes(4);
    private static final Duration POLL_EVERY = Duration.ofMillis(10);
    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://[^\\s,\"]+)");

    /** A store that is only slow, because the machine is busy, is not taken for one that is away. */
    private static final Map<String, String> PATIENT =
            Map.of("HOLDFAST_EMBEDDED_CHANGE_TIMEOUT", "1m", "HOLDFAST_DYNAMODB_ATTEMPT_TIMEOUT", "1m");

    private final Process process;
    private final Path log;
    private URI address;

    private PackagedProgram(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts it and waits until it is ready. */
    public static PackagedProgram start(Map<String, String> environment) {
        return ready(launch(environment));
    }

    /** As {@link #start}, for measurements: with the JVM flags of {@code make run}, which compile all that runs often. */
    public static PackagedProgram startAsMakeRunDoes(Map<String, String> environment) {
        return ready(launch(environment, List.of("--enable-native-access=ALL-UNNAMED")));
    }

    private static PackagedProgram ready(PackagedProgram program) {
        try {
            program.awaitReady();
            return program;
        } catch (RuntimeException | Error e) {
            program.close();
            throw e;
        }
    }

    /** Starts it and waits for nothing. */
    static PackagedProgram launch(Map<String, String> environment) {
        return launch(environment, StartUpArchive.flags());
    }

    static PackagedProgram launch(Map<String, String> environment, List<String> jvmFlags) {
        return launch(new ProcessBuilder(command(jvmFlags)), environment);
    }

    /** @param builder of the program, with whatever else is set for it */
    static PackagedProgram launch(ProcessBuilder builder, Map<String, String> environment) {
        try {
            var log = Files.createDirectories(LOGS).resolve(UUID.randomUUID() + ".log");
            builder.redirectErrorStream(true).redirectOutput(log.toFile());
            // Who we are to AWS is the test's to say.
            builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
            builder.environment().put("QUARKUS_HTTP_HOST", "127.0.0.1");
            builder.environment().put("QUARKUS_HTTP_PORT", "0");
            builder.environment().putAll(PATIENT);
            builder.environment().putAll(environment);
            return new PackagedProgram(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean isNative() {
        return nativeProgram() != null;
    }

    /** A folder that nobody has used, below target. */
    public static Path newDataFolder() {
        return TARGET.resolve("data-program").resolve(UUID.randomUUID().toString());
    }

    public URI address() {
        return address;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** SIGKILL: no hook runs, nothing is flushed. */
    public void kill9() {
        process.destroyForcibly();
    }

    /** SIGTERM: asks it to go. */
    void terminate() {
        process.destroy();
    }

    public int awaitExit() {
        try {
            if (!process.waitFor(END_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("The program has not ended after " + END_MAX + ":\n" + output());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the program was ending", e);
        }
    }

    String output() {
        try {
            return Files.readString(log, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill9();
        awaitExit();
    }

    void awaitReady() {
        await(this::ready);
    }

    /** Serves, ready or not. */
    PackagedProgram awaitListening() {
        await(client -> listening());
        return this;
    }

    private void await(Condition condition) {
        var deadline = System.nanoTime() + START_MAX.toNanos();
        try (var client = HttpClient.newHttpClient()) {
            while (!condition.holds(client)) {
                var ended = process.waitFor(POLL_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                if (ended || System.nanoTime() > deadline) {
                    var why = ended ? "ended with " + process.exitValue() : "is not there after " + START_MAX;
                    throw new IllegalStateException("The program " + why + ":\n" + output());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the program was starting", e);
        }
    }

    private interface Condition {
        boolean holds(HttpClient client) throws InterruptedException;
    }

    private boolean listening() {
        var listening = LISTENING.matcher(output());
        if (!listening.find()) {
            return false;
        }
        address = URI.create(listening.group(1));
        return true;
    }

    private boolean ready(HttpClient client) throws InterruptedException {
        if (!listening()) {
            return false;
        }
        var ask = HttpRequest.newBuilder(address.resolve("/q/health/ready"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return client.send(ask, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    static List<String> command(List<String> jvmFlags) {
        var program = nativeProgram();
        if (program != null) {
            return List.of(program.toString());
        }
        if (!Files.exists(JAR)) {
            throw new IllegalStateException("Nothing is packaged: there is no " + JAR);
        }
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.addAll(List.of("-jar", JAR.toString()));
        return command;
    }

    private static Path nativeProgram() {
        if (jvmWasLast()) {
            return null;
        }
        try (var runners = Files.newDirectoryStream(TARGET, "*-runner")) {
            for (var runner : runners) {
                if (Files.isExecutable(runner)) {
                    return runner;
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An older build may have left its native program there. */
    private static boolean jvmWasLast() {
        var packaged = TARGET.resolve("quarkus-artifact.properties");
        try {
            return Files.exists(packaged) && Files.readString(packaged).contains("type=jar");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
