package io.holdfast.cli.process;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A command that runs for us, with our input and output. What it has started is its own affair as long as nobody tells it
 * to stop; then it has to go with it.
 */
public final class ChildProcess {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final String TERM = "TERM";
    private static final Set<String> STOPPING = Set.of("HUP", "INT", "QUIT", TERM);

    private final Process process;
    private final String mark;
    private final Set<ProcessHandle> family = ConcurrentHashMap.newKeySet();
    private volatile Long toldNanos;
    private volatile boolean toldToEnd;

    /** @param mark an entry in the environment of the process and of all that it starts, and of nobody else */
    private ChildProcess(Process process, String mark) {
        this.process = process;
        this.mark = mark;
    }

    public static ChildProcess start(List<String> command, Map<String, String> variables) {
        var builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(variables);
        try {
            return new ChildProcess(builder.start(), ExecLease.LOCK_ID + "=" + variables.get(ExecLease.LOCK_ID));
        } catch (IOException e) {
            throw notRun(command.getFirst(), String.valueOf(e.getMessage()));
        }
    }

    /** As a shell says it. */
    private static CliException notRun(String command, String why) {
        var isMissing = why.contains("No such file");
        if (isMissing && command.contains("/") && new File(command).exists()) {
            return new CliException(
                    Exit.NOT_EXECUTABLE,
                    "'%s' cannot be run: what its first line or its format asks for is missing."
                            .formatted(Output.oneLine(command)));
        }
        if (isMissing) {
            return new CliException(Exit.NOT_FOUND, "There is no command '%s'.".formatted(Output.oneLine(command)));
        }
        var reason = why.contains("Permission denied") ? "permission denied" : Output.oneLine(why);
        return new CliException(
                Exit.NOT_EXECUTABLE, "'%s' cannot be run: %s.".formatted(Output.oneLine(command), reason));
    }

    public boolean hasEnded() {
        return !process.isAlive();
    }

    /** Its own, or 128 and the signal that ended it. */
    public int exitCode() {
        return process.exitValue();
    }

    public void whenEnded(Runnable told) {
        process.onExit().thenRun(told);
    }

    /** @param delivered whether it has come to the command by itself, as from a terminal */
    public void signal(String name, boolean delivered) {
        if (STOPPING.contains(name)) {
            toldNanos = System.nanoTime();
            toldToEnd = toldToEnd || name.equals(TERM);
            lookAround();
        }
        if (!delivered && process.isAlive()) {
            send(name);
        }
    }

    /** Asks it to go, and ends it if it does not. Returns when it has gone, with all that it has started. */
    public void stop(Duration grace) throws InterruptedException {
        var until = System.nanoTime() + grace.toNanos();
        signal(TERM, false);
        while (process.isAlive() && System.nanoTime() < until) {
            lookAround();
            process.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        clear(until, () -> false);
    }

    /**
     * If it has ended because it was told to: ends what it has left behind, gently first. Some take other signals than TERM
     * for something else, and go on.
     *
     * @param hurry whether there is no time for that any more
     */
    public void clear(Duration grace, BooleanSupplier hurry) throws InterruptedException {
        var now = System.nanoTime();
        if (toldToEnd || toldNanos != null && now - toldNanos < grace.toNanos()) {
            clear(now + grace.toNanos(), hurry);
        }
    }

    private void clear(long until, BooleanSupplier hurry) throws InterruptedException {
        if (!process.isAlive()) {
            var asked = new HashSet<ProcessHandle>();
            askToGo(asked);
            while (isAnyRunning() && System.nanoTime() < until && !hurry.getAsBoolean()) {
                Thread.sleep(LOOK_EVERY);
                askToGo(asked);
            }
        }
        killAll();
        process.waitFor();
    }

    /** Each of them once: for some, to be asked twice is to be killed. */
    private void askToGo(Set<ProcessHandle> asked) {
        lookForOrphans();
        running(asked).forEach(one -> {
            asked.add(one);
            one.destroy();
        });
    }

    /** At once, without a word. */
    public void kill() throws InterruptedException {
        if (process.isAlive()) {
            killAll();
        }
    }

    /** Halted first, from the top: a shell that saw its child die would go on with its next step. */
    private void killAll() throws InterruptedException {
        var halted = new HashSet<ProcessHandle>();
        lookForOrphans();
        var running = running(halted);
        while (!running.isEmpty()) {
            halt(running);
            halted.addAll(running);
            lookForOrphans();
            running = running(halted);
        }
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> running(Set<ProcessHandle> others) {
        return Stream.concat(Stream.of(process.toHandle()), family.stream())
                .filter(one -> !others.contains(one) && isRunning(one))
                .toList();
    }

    private boolean isAnyRunning() {
        return !running(Set.of()).isEmpty();
    }

    /** One that has ended and is still to be buried, by a parent that never looks, does nothing any more. */
    private static boolean isRunning(ProcessHandle one) {
        return one.isAlive()
                && ProcessStat.of(one).filter(ProcessStat::isZombie).isEmpty();
    }

    /** Of those that live: the number of one that has ended may be a stranger's by now. */
    private void lookAround() {
        Stream.concat(Stream.of(process.toHandle()), List.copyOf(family).stream())
                .filter(ProcessHandle::isAlive)
                .forEach(one -> one.descendants().forEach(family::add));
    }

    /** What it has left behind is nobody's child. */
    private void lookForOrphans() {
        lookAround();
        ProcessStat.of("self").ifPresent(self -> ProcessHandle.allProcesses()
                .filter(one -> one.pid() != process.pid() && isMarked(one, self.session()))
                .forEach(family::add));
    }

    /** Whoever has begun a session of its own has detached itself. */
    private boolean isMarked(ProcessHandle one, String session) {
        if (ProcessStat.of(one).filter(stat -> stat.session().equals(session)).isEmpty()) {
            return false;
        }
        try {
            var environment = Files.readString(Path.of("/proc/" + one.pid() + "/environ"), StandardCharsets.ISO_8859_1);
            return List.of(environment.split("\0")).contains(mark);
        } catch (IOException gone) {
            return false;
        }
    }

    private void send(String name) {
        if (name.equals(TERM)) {
            process.destroy();
            return;
        }
        try {
            shellKill(name, List.of(process.toHandle()));
        } catch (IOException noShell) {
            process.destroy();
        }
    }

    private static void halt(List<ProcessHandle> some) throws InterruptedException {
        try {
            shellKill("STOP", some).waitFor();
        } catch (IOException noShell) {
            // Then they are killed as they run.
        }
    }

    /** Java itself sends no signal but two. */
    private static Process shellKill(String signal, List<ProcessHandle> to) throws IOException {
        var words = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\"", signal));
        to.forEach(one -> words.add(Long.toString(one.pid())));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
