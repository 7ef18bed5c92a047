package io.holdfast.cli.lock;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.Owners;
import io.holdfast.cli.output.AsyncNote;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.process.Child;
import io.holdfast.cli.process.ExecLease;
import io.holdfast.cli.process.Foreground;
import io.holdfast.cli.session.Cancellation;
import io.holdfast.cli.session.KeepAliveOptions;
import io.holdfast.cli.session.LeaseMonitor;
import io.holdfast.cli.session.LockAcquirer;
import io.holdfast.cli.session.LockReleaser;
import io.holdfast.cli.session.LockRequest;
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
            "Run a command while holding a lock, and end as it ends.",
            "It gets signals passed on, and HOLDFAST_LOCK, HOLDFAST_LOCK_ID and",
            "HOLDFAST_FENCING_TOKEN. If the lock is lost, it is stopped (exit code 5)."
        },
        footer = "  holdfast exec --lock nightly-report --wait 5m -- echo done")
public final class ExecCommand extends ApiCommand {
    private static final int EXIT_MAX = 255;

    @Option(
            names = "--lock",
            paramLabel = "NAME",
            required = true,
            description = "Which lock; again for more, all or none of them")
    private List<String> locks;

    @Mixin
    private KeepAliveOptions keep;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "From asking it to stop to killing it. Default: 10s")
    private Duration grace;

    @Option(
            names = "--conflict-exit",
            paramLabel = "CODE",
            defaultValue = "" + Exit.REFUSED,
            description = "How to end if the lock is not to be had. Default: 3")
    private int conflictExit;

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "What to run, after --")
    private List<String> command;

    private final Cancellation recall = new Cancellation();
    private LockRequest request;
    private volatile LeaseMonitor monitor;
    private Child child;
    private List<LockBody> leases;
    private volatile boolean starting;
    private boolean givingBack;
    private boolean toldMeanwhile;

    @Override
    public Integer call() throws InterruptedException {
        if (conflictExit < 0 || conflictExit > EXIT_MAX) {
            throw wrong("--conflict-exit must be from 0 to " + EXIT_MAX);
        }
        request = keep.wish(names(), Map.of("command", program()), world());
        world().signals().hear(this::signalled);
        var taken = takeOrRefuse();
        leases = taken.locks();
        try (var kept = LeaseMonitor.keeping(api(), taken, headroom(), outages())) {
            monitor = kept;
            monitor.awaitHeld(recall::isMade);
            start(taken);
            child.whenEnded(monitor::changed);
            while (!child.hasEnded() && monitor.loss().isEmpty()) {
                monitor.await(keep.ttl());
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
            throw wrong("Name each --lock once");
        }
        return names.stream().sorted().toList();
    }

    /** Not its arguments, which may hold a secret. */
    private String program() {
        var program = command.getFirst();
        return Owners.printable(program.substring(program.lastIndexOf('/') + 1));
    }

    /** So much before the end of a lease that nobody confirms: the command is gone when the lease is. */
    private Duration headroom() {
        var third = keep.ttl().dividedBy(3);
        return Durations.min(grace, third);
    }

    private LockAcquirer.Taken takeOrRefuse() {
        try {
            return take();
        } catch (CliException failure) {
            throw failure.exit() == Exit.REFUSED ? new CliException(conflictExit, failure.getMessage()) : failure;
        }
    }

    private LockAcquirer.Taken take() {
        var taken = LockAcquirer.take(this, request, keep.waitMax(), recall);
        for (var lock : taken.locks()) {
            if (!lock.lockId().equals(request.lockId())) {
                LockAcquirer.releaseIfPossible(api(), request);
                throw new CliException(
                        Exit.REFUSED,
                        "%s holds '%s' already; every run needs an owner of its own."
                                .formatted(request.owner(), lock.name()));
            }
        }
        return taken;
    }

    /** A signal comes before or after, and never in between. */
    private synchronized void start(LockAcquirer.Taken taken) {
        if (recall.isMade()) {
            throw notStarted(recall.failure());
        }
        monitor.loss().ifPresent(loss -> {
            throw notStarted(new CliException(Exit.LOST, loss + " The command was not started."));
        });
        starting = true;
        try {
            child = Child.start(
                    command,
                    ExecLease.environment(
                            request.lockId(),
                            taken.locks().stream().map(LockBody::name).toList(),
                            taken.locks().stream().map(LockBody::fencingToken).toList()));
        } catch (CliException notRun) {
            throw notStarted(notRun);
        }
    }

    private CliException notStarted(CliException why) {
        LockAcquirer.releaseIfPossible(api(), request);
        return why;
    }

    private void signalled(String name, int number) {
        // A terminal's signal does not come to a command that nobody has begun to start. Pressed while it is started,
        // it
        // may have: better once too few than twice, which some take for an order to drop everything.
        signalled(name, number, starting && Foreground.hears(name));
    }

    /** Without a command there is nothing to pass it on to: then it calls us back. */
    private synchronized void signalled(String name, int number, boolean delivered) {
        if (givingBack) {
            if (toldMeanwhile) {
                // Told twice, it waits for nothing more. The service sees the connections end.
                Runtime.getRuntime().halt(Exit.SIGNALLED + number);
            }
            toldMeanwhile = true;
        } else if (child != null) {
            child.signal(name, delivered);
        } else {
            recall.by(number);
            if (monitor != null) {
                monitor.changed();
            }
        }
    }

    private synchronized void beginToGiveBack() {
        givingBack = true;
    }

    private int ended() throws InterruptedException {
        child.clear(grace, () -> monitor.loss().isPresent());
        monitor.dismiss();
        if (monitor.loss().isPresent()) {
            return lost();
        }
        beginToGiveBack();
        if (new LockReleaser(api(), request, leases).isOursToTheEnd(holdfast()::note, monitor)) {
            return child.exitCode();
        }
        holdfast()
                .note("The lock was lost before the command ended with %d, and nobody could tell it."
                        .formatted(child.exitCode()));
        return Exit.LOST;
    }

    private int lost() throws InterruptedException {
        var sentence = monitor.loss().orElseThrow() + (child.hasEnded() ? "" : " The command is stopped.");
        var telling = AsyncNote.begin(() -> holdfast().note(sentence));
        child.stop(grace);
        monitor.dismiss();
        beginToGiveBack();
        LockAcquirer.releaseIfPossible(api(), request);
        telling.await();
        return Exit.LOST;
    }
}
