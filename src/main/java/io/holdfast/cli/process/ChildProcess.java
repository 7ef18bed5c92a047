package io.holdfast.cli.process;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A command that runs as a child process. When it is stopped, the processes that it has started are stopped too. */
public final class ChildProcess {
    private static final Duration CHECK_EVERY = Duration.ofMillis(100);
    private static final String TERM = "TERM";
    private static final String NO_SUCH_FILE = "No such file";
    private static final String PERMISSION_DENIED = "Permission denied";
    private static final Set<String> STOP_SIGNALS = Set.of("HUP", "INT", "QUIT", TERM);

    private final Process process;
    private final Set<String> marks;
    private final Set<ProcessHandle> descendants = ConcurrentHashMap.newKeySet();
    private volatile Long stopSignalNanos;
    private volatile boolean sigtermSeen;

    private ChildProcess(Process process, Set<String> marks) {
        this.process = process;
        this.marks = marks;
    }

    /** With the stdin, stdout and stderr of this process, and with the variables of an {@link ExecLease}. */
    public static ChildProcess start(List<String> command, Map<String, String> variables) {
        return start(new ProcessBuilder(command).inheritIO(), variables, ExecLease.LOCK_ID);
    }

    /** @param marks names of variables which, together, only this process and its descendants have with these values */
    public static ChildProcess start(ProcessBuilder builder, Map<String, String> variables, String... marks) {
        builder.environment().putAll(variables);
        var marked = Stream.of(marks).map(name -> name + "=" + variables.get(name));
        try {
            return new ChildProcess(builder.start(), marked.collect(Collectors.toUnmodifiableSet()));
        } catch (IOException e) {
            throw notStarted(builder.command().getFirst(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * Fails like {@link #start} if the command certainly cannot be run.
     *
     * @param path the folders to search, as in the variable {@code PATH}
     */
    public static void requireExecutable(String command, String path) {
        var places = command.contains("/")
                ? Stream.of(new File(command))
                : Stream.of(path.split(File.pathSeparator))
                        .map(folder -> new File(folder.isEmpty() ? "." : folder, command));
        var found = places.filter(File::isFile).toList();
        if (found.isEmpty()) {
            throw notStarted(command, NO_SUCH_FILE);
        }
        if (found.stream().noneMatch(File::canExecute)) {
            throw notStarted(command, PERMISSION_DENIED);
        }
    }

    /** With the exit codes of a shell. */
    private static CliException notStarted(String command, String why) {
        var isMissing = why.contains(NO_SUCH_FILE);
        if (isMissing && command.contains("/") && new File(command).exists()) {
            return new CliException(
                    Exit.NOT_EXECUTABLE,
                    "'%s' cannot be run: its interpreter or loader is missing.".formatted(Output.oneLine(command)));
        }
        if (isMissing) {
            return new CliException(Exit.NOT_FOUND, "There is no command '%s'.".formatted(Output.oneLine(command)));
        }
        var reason = why.contains(PERMISSION_DENIED) ? "permission denied" : Output.oneLine(why);
        return new CliException(
                Exit.NOT_EXECUTABLE, "'%s' cannot be run: %s.".formatted(Output.oneLine(command), reason));
    }

    /** What the process reads, if its stdin is a pipe. */
    public OutputStream in() {
        return process.getOutputStream();
    }

    /** What the process writes, if its stdout is a pipe. */
    public InputStream out() {
        return process.getInputStream();
    }

    /** What the process writes, if its stderr is a pipe. */
    public InputStream err() {
        return process.getErrorStream();
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
        stop(grace, () -> false);
    }

    /** @param hurry whether to send SIGKILL before the grace is over */
    public void stop(Duration grace, BooleanSupplier hurry) throws InterruptedException {
        var until = System.nanoTime() + grace.toNanos();
        signal(TERM, false);
        while (process.isAlive() && System.nanoTime() < until && !hurry.getAsBoolean()) {
            findDescendants();
            process.waitFor(CHECK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        stopRemaining(until, hurry);
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

    /** Finds descendants whose parent has ended, by the marks in their environment. */
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
            return List.of(environment.split("\0")).containsAll(marks);
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
