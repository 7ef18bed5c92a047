package io.holdfast.cli.lock;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.Owners;
import io.holdfast.cli.output.AsyncNote;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.process.ChildProcess;
import io.holdfast.cli.process.ExecLease;
import io.holdfast.cli.process.Foreground;
import io.holdfast.cli.session.AcquiredLocks;
import io.holdfast.cli.session.KeepAliveOptions;
import io.holdfast.cli.session.LockSession;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.kernel.Durations;
import io.holdfast.kernel.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "exec",
        customSynopsis = "holdfast exec --lock NAME [OPTIONS] -- COMMAND...",
        description = {
            "Run a command while holding a lock, and exit with its exit code.",
            "Signals are passed on to it. It gets HOLDFAST_LOCK, HOLDFAST_LOCK_ID and",
            "HOLDFAST_FENCING_TOKEN. If the lock is lost, it is stopped (exit code 5)."
        },
        footer = "  holdfast exec --lock nightly-report --wait 5m -- echo done")
public final class ExecCommand extends ApiCommand {
    private static final int EXIT_MAX = 255;

    @Option(
            names = "--lock",
            paramLabel = "NAME",
            required = true,
            description = "The lock; repeat it for several, all or none")
    private List<String> locks;

    @Mixin
    private KeepAliveOptions keepAlive;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "From SIGTERM to SIGKILL. Default: 10s")
    private Duration grace;

    @Option(
            names = "--conflict-exit",
            paramLabel = "CODE",
            defaultValue = "" + Exit.REFUSED,
            description = "Exit code if the lock is not granted. Default: 3")
    private int conflictExit;

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "The command to run, after --")
    private List<String> command;

    private LockSession session;
    private ChildProcess child;
    private volatile boolean starting;

    @Override
    public Integer call() throws InterruptedException {
        if (conflictExit < 0 || conflictExit > EXIT_MAX) {
            throw usageError("--conflict-exit must be from 0 to " + EXIT_MAX);
        }
        var request = keepAlive.request(names(), Map.of("command", program()), environment());
        try (var opened = new LockSession(this, request)) {
            session = opened;
            environment().signals().listen(this::signalled);
            var acquired = acquire();
            session.awaitAllHeld();
            session.begin(() -> start(acquired));
            child.whenEnded(session::wakeUp);
            while (!child.hasEnded() && session.loss().isEmpty()) {
                session.await(keepAlive.ttl());
            }
            return child.hasEnded() ? ended() : lost();
        } finally {
            if (child != null) {
                child.kill();
            }
        }
    }

    private List<String> names() {
        var names = new ArrayList<String>();
        for (var name : locks) {
            names.add(Text.name("--lock", name));
        }
        if (names.stream().distinct().count() < names.size()) {
            throw usageError("Name each --lock once");
        }
        return names.stream().sorted().toList();
    }

    /** Without the arguments, which may be secret. */
    private String program() {
        var program = command.getFirst();
        return Owners.printable(program.substring(program.lastIndexOf('/') + 1));
    }

    private AcquiredLocks acquire() {
        try {
            return session.acquire(keepAlive.waitMax(), safetyMargin());
        } catch (CliException failure) {
            throw failure.exit() == Exit.REFUSED ? new CliException(conflictExit, failure.getMessage()) : failure;
        }
    }

    /** The command is stopped this long before an unconfirmed lease expires. */
    private Duration safetyMargin() {
        return Durations.min(grace, keepAlive.ttl().dividedBy(3));
    }

    private void start(AcquiredLocks acquired) {
        session.loss().ifPresent(loss -> {
            throw new CliException(Exit.LOST, loss + " The command was not started.");
        });
        starting = true;
        child = ChildProcess.start(
                command,
                ExecLease.variables(
                        acquired.locks().getFirst().lockId(),
                        acquired.locks().stream().map(LockBody::name).toList(),
                        acquired.locks().stream().map(LockBody::fencingToken).toList()));
    }

    private void signalled(String name, int number) {
        // A terminal sends Ctrl-C to the child too. During the start of the child it is unknown whether the signal has
        // reached it. Then it is not passed on, because a second Ctrl-C means abort to some programs.
        var delivered = starting && Foreground.receives(name);
        session.signalled(number, () -> child.signal(name, delivered));
    }

    private int ended() throws InterruptedException {
        child.stopRemaining(grace, () -> session.loss().isPresent());
        if (session.stopMonitoring().isPresent()) {
            return lost();
        }
        if (session.release()) {
            return child.exitCode();
        }
        holdfast()
                .note("The lock was lost before the command ended with exit code %d. The loss was noticed only now."
                        .formatted(child.exitCode()));
        return Exit.LOST;
    }

    private int lost() throws InterruptedException {
        var sentence = session.loss().orElseThrow() + (child.hasEnded() ? "" : " The command is stopped.");
        var note = AsyncNote.begin(() -> holdfast().note(sentence));
        child.stop(grace);
        session.cleanUp();
        note.await();
        return Exit.LOST;
    }
}
