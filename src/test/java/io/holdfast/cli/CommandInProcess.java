package io.holdfast.cli;

import io.holdfast.cli.base.CliEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ObjIntConsumer;

/** A command on a thread of its own, which can get signals. What it starts are processes. */
public final class CommandInProcess {
    private static final long END_MAX_SECONDS = 60;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<ObjIntConsumer<String>> signals = new CompletableFuture<>();
    private final CompletableFuture<Integer> exit;

    public CommandInProcess(String server, List<String> words) {
        this(Map.of("HOLDFAST_URL", server, "HOLDFAST_TIMEOUT", "30s"), words);
    }

    public CommandInProcess(Map<String, String> variables, List<String> words) {
        var streams = new CliEnvironment.Streams(
                InputStream.nullInputStream(), stream(out), stream(err), CliEnvironment.Terminals.NONE);
        var environment = new CliEnvironment(variables, streams, Clock.systemUTC(), signals::complete, timeout -> null);
        exit = CompletableFuture.supplyAsync(
                () -> Cli.run(environment, words.toArray(String[]::new)),
                work -> Thread.ofPlatform().daemon().start(work));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /** Waits until the command listens. */
    public void terminate() {
        signals.join().accept("TERM", 15);
    }

    public int awaitExit() throws InterruptedException {
        try {
            return exit.get(END_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(out() + err(), e);
        }
    }

    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
