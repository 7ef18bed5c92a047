package io.holdfast.cli.work;

import io.holdfast.cli.Cli;
import io.holdfast.cli.base.CliEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ObjIntConsumer;

/** {@code holdfast work} on a thread of its own. Its handlers are processes. */
final class WorkInProcess {
    private static final long END_MAX_SECONDS = 60;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<ObjIntConsumer<String>> signals = new CompletableFuture<>();
    private final CompletableFuture<Integer> exit;

    private WorkInProcess(FakeJobService service, List<String> words) {
        var streams = new CliEnvironment.Streams(
                InputStream.nullInputStream(), stream(out), stream(err), CliEnvironment.Terminals.NONE);
        var environment = new CliEnvironment(
                Map.of("HOLDFAST_URL", service.url(), "HOLDFAST_TIMEOUT", "30s"),
                streams,
                Clock.systemUTC(),
                signals::complete,
                timeout -> null);
        exit = CompletableFuture.supplyAsync(
                () -> Cli.run(environment, words.toArray(String[]::new)),
                work -> Thread.ofPlatform().daemon().start(work));
    }

    /** With a shell script as its handler. */
    static WorkInProcess script(FakeJobService service, String options, String script) {
        return start(service, options, List.of("sh", "-c", script));
    }

    static WorkInProcess start(FakeJobService service, String options, List<String> handler) {
        var words = new ArrayList<>(List.of("work", "--type", "CREATE,DESTROY", "--worker", "w"));
        if (!options.isEmpty()) {
            words.addAll(List.of(options.split(" ")));
        }
        words.add("--");
        words.addAll(handler);
        return new WorkInProcess(service, words);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    void terminate() {
        signals.join().accept("TERM", 15);
    }

    int awaitExit() throws InterruptedException {
        try {
            return exit.get(END_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(out() + err(), e);
        }
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
