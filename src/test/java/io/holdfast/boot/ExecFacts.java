package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code holdfast exec} does with its command, its lock and its signals; each a real process. */
final class ExecFacts extends ExecCalls {
    private static final int CONTROL_C = 3;

    ExecFacts(PackagedProgram program, ProgramCalls calls, Path folder) {
        super(program, calls, folder);
    }

    @Test
    void theCommandHasItsLocksInItsEnvironmentAndItsExitCodeIsPassedOn() {
        try (var exec = exec(
                "--lock",
                "env-b",
                "--lock",
                "env-a",
                "--",
                "sh",
                "-c",
                """
                echo "$HOLDFAST_LOCK|$HOLDFAST_FENCING_TOKEN|$HOLDFAST_LOCK_ID"; cat; exit 7""")) {
            exec.typing("typed\n");

            assertThat(exec.awaitExit()).isEqualTo(7);
            assertThat(exec.err()).isEmpty();
            var one = calls.get("/v1/locks/env-a");
            var other = calls.get("/v1/locks/env-b");
            assertThat(exec.out())
                    .isEqualTo(
                            "env-a,env-b|%d,%d|%s\ntyped\n".formatted(one.token(), other.token(), one.text("lock_id")));
            assertThat(one.text("status")).isEqualTo("released");
            assertThat(other.text("status")).isEqualTo("released");
        }
    }

    @Test
    void aCommandThatCannotBeRunEndsAsInAShellAndGivesTheLockBack() throws IOException {
        var text = Files.writeString(folder.resolve("text"), "no program");
        var script = Files.writeString(folder.resolve("script"), "#!/no/such/interpreter\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var missing = exec("--lock", "unrun", "--", "no-such-command");
                var forbidden = exec("--lock", "unrun-too", "--", text.toString());
                var headless = exec("--lock", "unrun-three", "--", script.toString())) {
            assertThat(missing.awaitExit()).isEqualTo(127);
            assertThat(missing.err()).isEqualTo("holdfast: There is no command 'no-such-command'.\n");
            assertThat(forbidden.awaitExit()).isEqualTo(126);
            assertThat(forbidden.err()).endsWith("' cannot be run: permission denied.\n");
            assertThat(headless.awaitExit()).isEqualTo(126);
            assertThat(headless.err()).endsWith("' cannot be run: its interpreter or loader is missing.\n");
            assertThat(calls.get("/v1/locks/unrun").text("status")).isEqualTo("released");
        }
    }

    @Test
    void whoWaitsIsToldForWhomAndGetsItsTurn() {
        var lockId = ProgramCalls.newLockId();
        calls.acquire("turn", "ada", lockId);
        try (var exec = exec("--lock", "turn", "--wait", "1m", "--", "echo", "mine")) {
            awaitUntil(() -> calls.get("/v1/locks/turn").body().path("waiting").asInt() == 1);
            assertThat(exec.err())
                    .matches("holdfast: waiting for 'turn', held by ada, lease ends in 23h59m unless renewed\n");

            calls.release("turn", "ada", lockId);

            assertThat(exec.awaitExit()).isZero();
            assertThat(exec.out()).isEqualTo("mine\n");
            assertThat(exec.err()).containsPattern("\nholdfast: acquired 'turn' after [0-9.]+s\n$");
        }
    }

    /** For how long a lease lasts that is renewed again and again, nobody can tell. */
    @Test
    void nobodyIsToldWhenALeaseEndsThatIsRenewed() throws IOException {
        var ready = folder.resolve("ready");
        var done = folder.resolve("done");
        try (var holds = exec("--lock", "kept", "--owner", "ada", "--", "sh", "-c", until(ready, done))) {
            awaitUntil(() -> Files.exists(ready));
            try (var waits = exec("--lock", "kept", "--wait", "5m", "--", "echo", "ran");
                    var refused = exec("--lock", "kept", "--", "echo", "ran")) {
                awaitUntil(
                        () -> waits.err().equals("holdfast: waiting for 'kept', held by ada, renewed automatically\n"));
                assertThat(refused.awaitExit()).isEqualTo(3);
                assertThat(refused.err())
                        .matches(
                                "holdfast: Execution blocked: lock 'kept' held by ada until \\S+, renewed automatically while its connection lasts\n");
            }
            Files.createFile(done);
            assertThat(holds.awaitExit()).isZero();
        }
    }

    @Test
    void whoWaitsInVainIsRefusedAndRunsNothing() {
        calls.acquire("vain", "ada", ProgramCalls.newLockId());
        try (var exec = exec("--lock", "vain", "--wait", "300ms", "--", "echo", "ran")) {
            assertThat(exec.awaitExit()).isEqualTo(3);
            assertThat(exec.out()).isEmpty();
            assertThat(exec.err()).containsPattern("(?m)^holdfast: Execution blocked: lock 'vain' held by ada until ");
        }
    }

    /** As in a crontab, where another one's run is no failure. */
    @Test
    void howARefusalEndsCanBeChosen() {
        calls.acquire("elsewhere", "ada", ProgramCalls.newLockId());
        try (var exec = exec("--lock", "elsewhere", "--conflict-exit", "0", "--", "echo", "ran");
                var wrong = exec("--lock", "elsewhere", "--conflict-exit", "256", "--", "echo", "ran")) {
            assertThat(exec.awaitExit()).isZero();
            assertThat(exec.out()).isEmpty();
            assertThat(exec.err()).startsWith("holdfast: Execution blocked: lock 'elsewhere' held by ada until ");
            assertThat(wrong.awaitExit()).isEqualTo(2);
            assertThat(wrong.err()).startsWith("holdfast: --conflict-exit must be from 0 to 255.");
        }
    }

    @Test
    void aCommandThatDiesOfASignalEndsAsInAShell() {
        try (var exec = execShell("dies", "kill -KILL $$")) {
            assertThat(exec.awaitExit()).isEqualTo(137);
            assertThat(exec.err()).isEmpty();
            assertThat(status("dies")).isEqualTo("released");
        }
    }

    /** What a script has its commands ignore stays ignored; the tenth signal is USR1. */
    @Test
    void whatWeWereStartedToIgnoreTheCommandIgnoresToo() {
        var script = "trap '' USR1; exec " + PackagedCommand.typed()
                + " exec --lock deaf -- sed -n 's/^SigIgn:.*\\(.\\)..$/\\1/p' /proc/self/status";
        try (var exec = PackagedCommand.script(environment(), script)) {
            assertThat(exec.awaitExit()).as(exec.err()).isZero();
            assertThat(Integer.parseInt(exec.out().strip(), 16) & 2).isEqualTo(2);
        }
    }

    @Test
    void anOwnerThatHasTheLockByAnotherRunIsRefused() {
        calls.acquire("twice", "ci-42", ProgramCalls.newLockId());
        try (var exec = exec("--lock", "twice", "--owner", "ci-42", "--", "echo", "ran")) {
            assertThat(exec.awaitExit()).isEqualTo(3);
            assertThat(exec.out()).isEmpty();
            assertThat(calls.get("/v1/locks/twice").text("status")).isEqualTo("active");
        }
    }

    @Test
    void whoIsToldToStopWhileItWaitsLeavesTheLine() throws IOException {
        calls.acquire("left", "ada", ProgramCalls.newLockId());
        for (var words : List.of(
                "locks acquire left --wait 5m", "locks hold left --wait 5m", "exec --lock left --wait 5m -- id")) {
            try (var waits = PackagedCommand.start(environment(), words.split(" "))) {
                awaitUntil(() -> waiting("left") == 1);

                signal(waits, "INT");

                assertThat(waits.awaitExit()).isEqualTo(130);
                assertThat(waits.out()).isEmpty();
                assertThat(waits.err()).endsWith("holdfast: Stopped by a signal before the lock was acquired.\n");
                awaitUntil(() -> waiting("left") == 0);
            }
        }
    }

    private int waiting(String lock) {
        return calls.get("/v1/locks/" + lock).body().path("waiting").asInt();
    }

    /** What a shell hands over is handed on: nobody else reads it on its way. */
    @Test
    void theWordsOfTheCommandAreItsOwn() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "from the file");
        try (var exec =
                exec("--lock", "words", "--", "printf", "%s|", "@" + file, "-Da=b", "-Xmx64m", "--help", "--", "")) {
            assertThat(exec.awaitExit()).isZero();
            assertThat(exec.out()).isEqualTo("@%s|-Da=b|-Xmx64m|--help|--||".formatted(file));
        }
    }

    /**
     * A proxy hangs up, and another connection falls silent: the lease goes on, and the command is told nothing. The shorter
     * its grace, the more time is left to replace a connection after a third of the lease in silence.
     */
    @Test
    void aConnectionThatBreaksIsReplacedBeforeTheLockIsGivenAway() throws IOException {
        var ready = folder.resolve("ready");
        var done = folder.resolve("done");
        try (var wire = new Wire(program.address());
                var exec = execOver(
                        wire,
                        "--lock",
                        "wired",
                        "--ttl",
                        "30s",
                        "--grace",
                        "1s",
                        "--",
                        "sh",
                        "-c",
                        until(ready, done) + "; echo whole")) {
            awaitUntil(() -> Files.exists(ready));
            var token = calls.get("/v1/locks/wired").token();
            for (Runnable trouble : List.<Runnable>of(wire::cut, wire::silence)) {
                var renewals = renewals("wired");

                trouble.run();

                // One comes with the next connection, and the next with its keeping.
                awaitUntil(() -> renewals("wired") >= renewals + 2);
                assertThat(calls.get("/v1/locks/wired").token()).isEqualTo(token);
            }
            Files.createFile(done);

            assertThat(exec.awaitExit()).as(exec.err()).isZero();
            assertThat(exec.out()).isEqualTo("whole\n");
            assertThat(calls.get("/v1/locks/wired").token()).isEqualTo(token);
        }
    }

    private int renewals(String lock) {
        return calls.get("/v1/locks/" + lock).body().path("renewals").asInt();
    }

    @Test
    void signalsArePassedOnAndTheLockIsGivenBack() throws IOException {
        for (var signal : List.of("INT", "TERM", "HUP", "USR1")) {
            var ready = folder.resolve(signal);
            var lock = "signal-" + signal;
            try (var exec = execShell(
                    lock,
                    """
                    trap 'echo %s; exit 9' %s; touch %s; while :; do sleep 0.05; done"""
                            .formatted(signal, signal, ready))) {
                awaitUntil(() -> Files.exists(ready));

                signal(exec, signal);

                assertThat(exec.awaitExit()).as(signal).isEqualTo(9);
                assertThat(exec.out()).isEqualTo(signal + "\n");
                assertThat(calls.get("/v1/locks/" + lock).text("status")).isEqualTo("released");
            }
        }
    }

    /** At a terminal the command gets it by itself; passed on as well, it would be pressed twice. */
    @Test
    void controlCAtATerminalComesToTheCommandOnceAndTheLockIsGivenBack() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "util-linux' script makes the terminal");
        var ready = folder.resolve("ready");
        var typed = folder.resolve("typed");
        var command =
                """
                trap 'echo INT >>%s' INT; touch %s; while [ ! -s %s ]; do sleep 0.05; done; sleep 0.3; exit 9"""
                        .formatted(typed, ready, typed);
        // Not every shell hands itself over to its last command, and one that waits ends of Ctrl-C itself.
        var words = "exec " + PackagedCommand.typed() + " exec --lock terminal -- sh -c \"$COMMAND\"";
        try (var terminal = PackagedCommand.script(
                Map.of("HOLDFAST_URL", program.address().toString(), "COMMAND", command, "WORDS", words),
                "exec script -qec \"$WORDS\" /dev/null")) {
            awaitUntil(() -> Files.exists(ready));

            terminal.process().getOutputStream().write(CONTROL_C);
            terminal.process().getOutputStream().flush();

            assertThat(terminal.awaitExit()).as(terminal.out()).isEqualTo(9);
            assertThat(typed).hasContent("INT");
            assertThat(calls.get("/v1/locks/terminal").text("status")).isEqualTo("released");
        }
    }

    @Test
    void whoWatchesSeesWhatChangesUntilItIsEnough() throws IOException {
        try (var watch =
                PackagedCommand.start(environment(), "locks", "list", "--prefix", "watched-", "--watch", "200ms")) {
            awaitUntil(() -> watch.out().startsWith("\n"));
            calls.acquire("watched-lock", "ada", ProgramCalls.newLockId());

            awaitUntil(() -> watch.out().contains("\nwatched-lock  ada    active  "));

            signal(watch, "INT");
            assertThat(watch.awaitExit()).isEqualTo(130);
            assertThat(watch.err()).isEmpty();
        }
    }

    @Test
    void whoHoldsUntilItIsToldToStopGivesBackAndIsDone() throws IOException {
        try (var hold = PackagedCommand.start(environment(), "locks", "hold", "told", "--output", "json")) {
            awaitUntil(() -> hold.out().endsWith("\n"));
            assertThat(calls.get("/v1/locks/told").text("status")).isEqualTo("active");

            signal(hold, "INT");

            assertThat(hold.awaitExit()).isZero();
            assertThat(calls.get("/v1/locks/told").text("status")).isEqualTo("released");
        }
    }

    @Test
    void whoHoldsAndLosesItIsTold() {
        try (var hold = PackagedCommand.start(environment(), "locks", "hold", "taken")) {
            awaitUntil(() -> hold.out().endsWith("\n"));

            force("taken");

            assertThat(hold.awaitExit()).isEqualTo(5);
            assertThat(hold.err())
                    .startsWith("holdfast: Holding 'taken' as ")
                    .contains(", renewed automatically, until Ctrl-C or SIGTERM.\n")
                    .endsWith("\nholdfast: Lock 'taken' was taken away by an administrator: stuck.\n");
        }
    }

    @Test
    void killNineOfExecFreesTheLock() {
        var ready = folder.resolve("ready");
        try (var exec =
                exec("--lock", "killed", "--ttl", "10m", "--", "sh", "-c", "touch " + ready + "; exec sleep 1000")) {
            awaitUntil(() -> Files.exists(ready));
            var orphans = exec.process().descendants().toList();
            try {
                exec.process().destroyForcibly();

                awaitUntil(() -> calls.get("/v1/locks/killed").text("status").equals("released"));
            } finally {
                orphans.forEach(ProcessHandle::destroyForcibly);
            }
        }
    }
}
