package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code holdfast exec} does with its command, its lock and its signals; each a real process. */
final class ExecFacts {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration POLL_EVERY = Duration.ofMillis(20);

    private static final int CONTROL_C = 3;

    private final PackagedProgram program;
    private final ProgramCalls calls;
    private final Path folder;

    /** @param folder for this one alone */
    ExecFacts(PackagedProgram program, ProgramCalls calls, Path folder) {
        this.program = program;
        this.calls = calls;
        this.folder = folder;
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
        try (var missing = exec("--lock", "unrun", "--", "no-such-command");
                var forbidden = exec("--lock", "unrun-too", "--", text.toString())) {
            assertThat(missing.awaitExit()).isEqualTo(127);
            assertThat(missing.err()).isEqualTo("holdfast: There is no command 'no-such-command'.\n");
            assertThat(forbidden.awaitExit()).isEqualTo(126);
            assertThat(forbidden.err()).endsWith("' cannot be run: permission denied.\n");
            assertThat(calls.get("/v1/locks/unrun").text("status")).isEqualTo("released");
        }
    }

    @Test
    void whoWaitsIsToldForWhomAndGetsItsTurn() {
        var lockId = ProgramCalls.newLockId();
        calls.acquire("turn", "ada", lockId);
        try (var exec = exec("--lock", "turn", "--wait", "1m", "--", "echo", "mine")) {
            awaitUntil(() -> calls.get("/v1/locks/turn").body().path("waiting").asInt() == 1);
            assertThat(exec.err()).matches("holdfast: waiting for 'turn', held by ada for another 23h59m at most\n");

            calls.release("turn", "ada", lockId);

            assertThat(exec.awaitExit()).isZero();
            assertThat(exec.out()).isEqualTo("mine\n");
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

    @Test
    void anOwnerThatHasTheLockByAnotherRunIsRefused() {
        calls.acquire("twice", "ci-42", ProgramCalls.newLockId());
        try (var exec = exec("--lock", "twice", "--owner", "ci-42", "--", "echo", "ran")) {
            assertThat(exec.awaitExit()).isEqualTo(3);
            assertThat(exec.out()).isEmpty();
            assertThat(calls.get("/v1/locks/twice").text("status")).isEqualTo("active");
        }
    }

    /** The command's child outlives the command, which ends by the signal. */
    @Test
    void aLockThatIsTakenAwayStopsTheCommandAndAllThatItStarted() throws IOException {
        var pids = folder.resolve("pids");
        try (var exec = exec(
                "--lock",
                "forced",
                "--",
                "sh",
                "-c",
                """
                sleep 1000 & echo $! >%s.tmp; mv %s.tmp %s; wait"""
                        .replace("%s", pids.toString()))) {
            awaitUntil(() -> Files.exists(pids));
            var sleeper = ProcessHandle.of(number(pids)).orElseThrow();

            force("forced");

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(exec.err())
                    .isEqualTo(
                            "holdfast: Lock 'forced' was taken away by an administrator: stuck. The command is stopped.\n");
            // Until it is buried, it counts as alive.
            awaitUntil(() -> !sleeper.isAlive());
        }
    }

    @Test
    void aCommandIsAskedToStopFirstAndKilledWhenItsGraceIsOver() {
        var asked = folder.resolve("asked");
        var ready = folder.resolve("ready");
        try (var exec = exec(
                "--lock",
                "stubborn",
                "--grace",
                "1s",
                "--",
                "sh",
                "-c",
                """
                trap 'touch %s' TERM; touch %s; while :; do sleep 0.05; done"""
                        .formatted(asked, ready))) {
            awaitUntil(() -> Files.exists(ready));

            force("stubborn");
            var token = calls.get("/v1/locks/stubborn").token();

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(asked).exists();
            assertThat(calls.get("/v1/locks/stubborn").token())
                    .as("nobody took it anew")
                    .isEqualTo(token);
        }
    }

    /** A shell that saw its child die would go on, and nothing would protect what it does then. */
    @Test
    void aScriptThatIsKilledBeginsNoFurtherStep() {
        var ready = folder.resolve("ready");
        try (var exec = exec(
                "--lock",
                "steps",
                "--grace",
                "300ms",
                "--",
                "sh",
                "-c",
                """
                trap 'echo asked' TERM; touch %s; sleep 600; echo second; sleep 600"""
                        .formatted(ready))) {
            awaitUntil(() -> Files.exists(ready));

            force("steps");

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(exec.out()).isEmpty();
            assertThat(exec.process().descendants()).isEmpty();
        }
    }

    @Test
    void whoIsToldToStopWhileItWaitsLeavesTheLine() throws IOException {
        calls.acquire("left", "ada", ProgramCalls.newLockId());
        for (var words : List.of(List.of("locks", "acquire"), List.of("locks", "hold"))) {
            var command = Stream.concat(words.stream(), Stream.of("left", "--wait", "5m"));
            try (var waits = PackagedCommand.start(
                    Map.of("HOLDFAST_URL", program.address().toString()), command.toArray(String[]::new))) {
                awaitUntil(() -> waiting("left") == 1);

                signal(waits, "INT");

                assertThat(waits.awaitExit()).isEqualTo(130);
                assertThat(waits.out()).isEmpty();
                assertThat(waits.err()).endsWith("holdfast: Told to stop before the lock was there.\n");
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

    /** A proxy hangs up, and another connection falls silent: the lease goes on, and the command is told nothing. */
    @Test
    void aConnectionThatBreaksIsReplacedBeforeTheLockIsGivenAway() throws IOException {
        var ready = folder.resolve("ready");
        var done = folder.resolve("done");
        try (var wire = new Wire(program.address());
                var exec = PackagedCommand.start(
                        Map.of("HOLDFAST_URL", wire.address()),
                        "exec",
                        "--lock",
                        "wired",
                        "--ttl",
                        "9s",
                        "--",
                        "sh",
                        "-c",
                        "touch %s; while [ ! -e %s ]; do sleep 0.05; done; echo whole".formatted(ready, done))) {
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
            try (var exec = exec(
                    "--lock",
                    lock,
                    "--",
                    "sh",
                    "-c",
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
        try (var watch = PackagedCommand.start(
                Map.of("HOLDFAST_URL", program.address().toString()),
                "locks",
                "list",
                "--prefix",
                "watched-",
                "--watch",
                "200ms")) {
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
        try (var hold = PackagedCommand.start(
                Map.of("HOLDFAST_URL", program.address().toString()), "locks", "hold", "told", "--output", "json")) {
            awaitUntil(() -> hold.out().endsWith("\n"));
            assertThat(calls.get("/v1/locks/told").text("status")).isEqualTo("active");

            signal(hold, "INT");

            assertThat(hold.awaitExit()).isZero();
            assertThat(calls.get("/v1/locks/told").text("status")).isEqualTo("released");
        }
    }

    @Test
    void whoHoldsAndLosesItIsTold() {
        try (var hold =
                PackagedCommand.start(Map.of("HOLDFAST_URL", program.address().toString()), "locks", "hold", "taken")) {
            awaitUntil(() -> hold.out().endsWith("\n"));

            force("taken");

            assertThat(hold.awaitExit()).isEqualTo(5);
            assertThat(hold.err()).isEqualTo("holdfast: Lock 'taken' was taken away by an administrator: stuck.\n");
        }
    }

    @Test
    void whoIsInterruptedWhileWaitingLeavesTheLine() throws IOException {
        calls.acquire("left", "ada", ProgramCalls.newLockId());
        try (var exec = exec("--lock", "left", "--wait", "5m", "--", "echo", "ran")) {
            awaitUntil(() -> calls.get("/v1/locks/left").body().path("waiting").asInt() == 1);

            signal(exec, "INT");

            assertThat(exec.awaitExit()).isEqualTo(130);
            awaitUntil(() -> calls.get("/v1/locks/left").body().path("waiting").asInt() == 0);
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

    /** Nobody answers for longer than the lease lasts: the command is gone before it ends. */
    @Test
    void aServiceThatFallsSilentStopsTheCommandBeforeTheLeaseEnds() throws IOException {
        var ready = folder.resolve("ready");
        var ended = folder.resolve("ended");
        var environment =
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());
        try (var silent = PackagedProgram.start(environment);
                var exec = PackagedCommand.start(
                        Map.of("HOLDFAST_URL", silent.address().toString()),
                        "exec",
                        "--lock",
                        "silent",
                        "--ttl",
                        "6s",
                        "--timeout",
                        "1s",
                        "--",
                        "sh",
                        "-c",
                        """
                        trap 'date +%%s%%N >%s; exit' TERM; touch %s; while :; do sleep 0.05; done"""
                                .formatted(ended, ready))) {
            awaitUntil(() -> Files.exists(ready));

            kill("STOP", silent.handle().pid());

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(exec.err()).contains("Lock 'silent' was not confirmed in time.");
            kill("CONT", silent.handle().pid());
            try (var asking = new ProgramCalls(silent.address())) {
                var expires =
                        java.time.Instant.parse(asking.get("/v1/locks/silent").text("expires_at"));
                assertThat(number(ended)).isLessThan(expires.toEpochMilli() * 1_000_000);
            }
        }
    }

    /** Its ticks lie unread in its buffers, and must not be taken for news when it wakes up. */
    @Test
    void whoWasPausedForTooLongStopsItsCommandWhenItWakesUp() throws IOException {
        var ready = folder.resolve("ready");
        try (var exec =
                exec("--lock", "paused", "--ttl", "2s", "--", "sh", "-c", "touch " + ready + "; exec sleep 1000")) {
            awaitUntil(() -> Files.exists(ready));
            kill("STOP", exec.process().pid());
            awaitUntil(() -> !calls.get("/v1/locks/paused").text("status").equals("active"));
            var next = calls.acquire("paused", "bob", ProgramCalls.newLockId());
            assertThat(next.status()).isEqualTo(201);

            kill("CONT", exec.process().pid());

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(calls.get("/v1/locks/paused").text("owner")).isEqualTo("bob");
        }
    }

    private PackagedCommand exec(String... words) {
        var all = new ArrayList<>(List.of("exec"));
        all.addAll(Arrays.asList(words));
        return PackagedCommand.start(Map.of("HOLDFAST_URL", program.address().toString()), all.toArray(String[]::new));
    }

    private void force(String lock) {
        var token = calls.get("/v1/locks/" + lock).token();
        assertThat(calls.delete("/v1/locks/%s?force=true&reason=stuck&fencing_token=%d".formatted(lock, token))
                        .status())
                .isEqualTo(200);
    }

    private static void signal(PackagedCommand command, String signal) throws IOException {
        kill(signal, command.process().pid());
    }

    private static void kill(String signal, long pid) throws IOException {
        try {
            assertThat(new ProcessBuilder("kill", "-s", signal, Long.toString(pid))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static long number(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).strip());
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        await().atMost(SOON).pollInterval(POLL_EVERY).until(condition);
    }
}
