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
 * The command of {@code exec}, with the same stdin, stdout and stderr. When it is stopped, the processes that it has started
 * are stopped too.
 */
public final class ChildProcess {
    private static final Duration CHECK_EVERY = Duration.ofMillis(100);
    private static final String TERM = "TERM";
    private static final Set<String> STOP_SIGNALS = Set.of("HUP", "INT", "QUIT", TERM);

    private final Process process;
    private final String marker;
    private final Set<ProcessHandle> descendants = ConcurrentHashMap.newKeySet();
    private volatile Long stopSignalNanos;
    private volatile boolean sigtermSeen;

    /** @param marker an environment variable and its value that only this process and its descendants have */
    private ChildProcess(Process process, String marker) {
        this.process = process;
        this.marker = marker;
    }

    public static ChildProcess start(List<String> command, Map<String, String> variables) {
        var builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(variables);
        try {
            return new ChildProcess(builder.start(), ExecLease.LOCK_ID + "=" + variables.get(ExecLease.LOCK_ID));
        } catch (IOException e) {
            throw notStarted(command.getFirst(), String.valueOf(e.getMessage()));
        }
    }

    /** With the exit codes of a shell. */
    private static CliException notStarted(String command, String why) {
        var isMissing = why.contains("No such file");
        if (isMissing && command.contains("/") && new File(command).exists()) {
            return new CliException(
                    Exit.NOT_EXECUTABLE,
                    "'%s' cannot be run: its interpreter or loader is missing.".formatted(Output.oneLine(command)));
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

    /** Its exit code, or 128 plus the number of the signal that ended it. */
    public int exitCode() {
        return process.exitValue();
    }

    public void whenEnded(Runnable listener) {
        process.onExit().thenRun(listener);
    }

    /** @param delivered whether the process has already received the signal, such as Ctrl-C from a terminal */
    public void signal(String name, boolean delivered) {
        if (STOP_SIGNALS.contains(name)) {
            stopSignalNanos = System.nanoTime();
            sigtermSeen = sigtermSeen || name.equals(TERM);
            findDescendants();
        }
        if (!delivered && process.isAlive()) {
            send(name);
        }
    }

    /** Sends SIGTERM, and SIGKILL after the grace. Returns when the process and its descendants have ended. */
    public void stop(Duration grace) throws InterruptedException {
        var until = System.nanoTime() + grace.toNanos();
        signal(TERM, false);
        while (process.isAlive() && System.nanoTime() < until) {
            findDescendants();
            process.waitFor(CHECK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        stopRemaining(until, () -> false);
    }

    /**
     * If the process ended because of a signal, stops the descendants that are still running. After SIGTERM that is certain.
     * Other signals may mean something else to it, such as a reload, so they count for the time of the grace only.
     *
     * @param hurry whether to send SIGKILL before the grace is over
     */
    public void stopRemaining(Duration grace, BooleanSupplier hurry) throws InterruptedException {
        var now = System.nanoTime();
        if (sigtermSeen || stopSignalNanos != null && now - stopSignalNanos < grace.toNanos()) {
            stopRemaining(now + grace.toNanos(), hurry);
        }
    }

    private void stopRemaining(long until, BooleanSupplier hurry) throws InterruptedException {
        if (!process.isAlive()) {
            var done = new HashSet<ProcessHandle>();
            terminate(done);
            while (isAnyRunning() && System.nanoTime() < until && !hurry.getAsBoolean()) {
                Thread.sleep(CHECK_EVERY);
                terminate(done);
            }
        }
        killAll();
        process.waitFor();
    }

    /** Sends SIGTERM to each descendant once: some take a second SIGTERM for an order to abort. */
    private void terminate(Set<ProcessHandle> done) {
        findOrphans();
        running(done).forEach(one -> {
            done.add(one);
            one.destroy();
        });
    }

    /** Sends SIGKILL without a SIGTERM before. */
    public void kill() throws InterruptedException {
        if (process.isAlive()) {
            killAll();
        }
    }

    /** Sends SIGSTOP before SIGKILL, parents first: a shell whose child is killed would run its next step. */
    private void killAll() throws InterruptedException {
        var suspended = new HashSet<ProcessHandle>();
        findOrphans();
        var running = running(suspended);
        while (!running.isEmpty()) {
            suspend(running);
            suspended.addAll(running);
            findOrphans();
            running = running(suspended);
        }
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> running(Set<ProcessHandle> except) {
        return Stream.concat(Stream.of(process.toHandle()), descendants.stream())
                .filter(one -> !except.contains(one) && isRunning(one))
                .toList();
    }

    private boolean isAnyRunning() {
        return !running(Set.of()).isEmpty();
    }

    /** Ignores zombies: exited processes whose parent has not reaped them. */
    private static boolean isRunning(ProcessHandle one) {
        return one.isAlive()
                && ProcessStat.of(one).filter(ProcessStat::isZombie).isEmpty();
    }

    /** Asks live processes only: the id of an ended one may belong to another process by now. */
    private void findDescendants() {
        Stream.concat(Stream.of(process.toHandle()), List.copyOf(descendants).stream())
                .filter(ProcessHandle::isAlive)
                .forEach(one -> one.descendants().forEach(descendants::add));
    }

    /** Finds descendants whose parent has ended, by the marker in their environment. */
    private void findOrphans() {
        findDescendants();
        ProcessStat.of("self").ifPresent(self -> ProcessHandle.allProcesses()
                .filter(one -> one.pid() != process.pid() && isMarked(one, self.session()))
                .forEach(descendants::add));
    }

    /** Ignores processes with a session of their own: they have detached themselves, as daemons do. */
    private boolean isMarked(ProcessHandle one, String session) {
        if (ProcessStat.of(one).filter(stat -> stat.session().equals(session)).isEmpty()) {
            return false;
        }
        try {
            var environment = Files.readString(Path.of("/proc/" + one.pid() + "/environ"), StandardCharsets.ISO_8859_1);
            return List.of(environment.split("\0")).contains(marker);
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

    private static void suspend(List<ProcessHandle> processes) throws InterruptedException {
        try {
            shellKill("STOP", processes).waitFor();
        } catch (IOException noShell) {
            // They are killed without SIGSTOP.
        }
    }

    /** Java can only send SIGTERM and SIGKILL itself. */
    private static Process shellKill(String signal, List<ProcessHandle> to) throws IOException {
        var words = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\"", signal));
        to.forEach(one -> words.add(Long.toString(one.pid())));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
