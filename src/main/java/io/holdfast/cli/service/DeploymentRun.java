package io.holdfast.cli.service;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.process.ChildProcess;
import io.holdfast.cli.retry.Wakeup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs the command of a deployment, and the rollback if it fails. */
final class DeploymentRun {
    private static final String COMMAND = "The command";
    private static final String ROLLBACK = "The rollback command";

    private final Deployment deployment;
    private final Duration grace;
    private final DeploymentSignals signals;
    private final Wakeup wakeup;
    private final Consumer<String> notes;

    /** @param grace from SIGTERM to SIGKILL for processes that the command has left */
    DeploymentRun(
            Deployment deployment, Duration grace, DeploymentSignals signals, Wakeup wakeup, Consumer<String> notes) {
        this.deployment = deployment;
        this.grace = grace;
        this.signals = signals;
        this.wakeup = wakeup;
        this.notes = notes;
    }

    /** @param exit that of the command, also if it was rolled back */
    record Ended(int exit, DeploymentResult result) {}

    /**
     * The end of one process.
     *
     * @param sentence why it counts as a failure
     */
    private record Attempt(int exit, String sentence) {
        boolean isSuccess() {
            return exit == 0;
        }
    }

    /** Blocks until the command has ended, and the rollback if it was needed. A command that cannot be started has failed. */
    Ended run(List<String> command, Optional<String> rollback) throws InterruptedException {
        var run = attempt(COMMAND, command, false);
        if (run.isSuccess()) {
            return new Ended(run.exit(), DeploymentResult.running());
        }
        if (rollback.isEmpty() || signals.isUrgent()) {
            return new Ended(run.exit(), DeploymentResult.failed(run.sentence()));
        }
        notes.accept(run.sentence() + " Rolling back.");
        var back = attempt(ROLLBACK, List.of("sh", "-c", rollback.get()), true);
        var exit = signals.isUrgent() ? signals.exit() : run.exit();
        return new Ended(
                exit,
                back.isSuccess()
                        ? DeploymentResult.rolledBack(run.sentence())
                        : DeploymentResult.failed(run.sentence() + " " + back.sentence()));
    }

    private Attempt attempt(String what, List<String> command, boolean isWantedAfterSignal)
            throws InterruptedException {
        Optional<ChildProcess> started;
        try {
            started = signals.start(
                    isWantedAfterSignal,
                    () -> ChildProcess.start(
                            new ProcessBuilder(command).inheritIO(),
                            deployment.variables(),
                            Deployment.DEPLOYMENT_ID,
                            Deployment.EPOCH));
        } catch (CliException notStarted) {
            return new Attempt(notStarted.exit(), notStarted.getMessage());
        }
        return started.isEmpty()
                ? new Attempt(signals.exit(), what + " was not started because of a signal.")
                : awaited(what, started.get());
    }

    private Attempt awaited(String what, ChildProcess child) throws InterruptedException {
        try {
            child.whenEnded(wakeup::wake);
            while (!child.hasEnded() && !signals.isUrgent()) {
                wakeup.await(Long.MAX_VALUE);
            }
            if (!child.hasEnded()) {
                return new Attempt(signals.exit(), what + " was killed after a second signal.");
            }
            child.stopRemaining(grace, signals::isUrgent);
            return new Attempt(child.exitCode(), "%s ended with exit code %d.".formatted(what, child.exitCode()));
        } finally {
            child.kill();
            signals.childEnded();
        }
    }
}
