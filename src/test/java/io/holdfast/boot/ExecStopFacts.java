package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How {@code holdfast exec} stops its command, with all that it has started, when the lock is lost or it is told to. */
final class ExecStopFacts extends ExecCalls {
    ExecStopFacts(PackagedProgram program, ProgramCalls calls, Path folder) {
        super(program, calls, folder);
    }

    /** The command's child outlives the command, which ends by the signal. */
    @Test
    void aLockThatIsTakenAwayStopsTheCommandAndAllThatItStarted() throws IOException {
        var pids = folder.resolve("pids");
        try (var exec = execShell(
                "forced",
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
                "5s",
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

    /** A shell that saw its child die would go on, and nothing would protect what it does then. One of many would. */
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
                trap : TERM
                for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                    sh -c 'trap : TERM; sleep 600; echo second' &
                done
                touch %s
                while :; do wait; done"""
                        .formatted(ready))) {
            awaitUntil(() -> Files.exists(ready));

            force("steps");

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(exec.out()).as("shells that went on").isEmpty();
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
                        "15s",
                        "--timeout",
                        "4s",
                        "--",
                        "sh",
                        "-c",
                        """
                        trap 'date +%%s%%N >%s; exit' TERM; touch %s; while :; do sleep 0.05; done"""
                                .formatted(ended, ready))) {
            awaitUntil(() -> Files.exists(ready));

            kill("STOP", silent.handle().pid());

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(exec.err())
                    .contains(" does not answer. Retrying; without an answer, 'silent' counts as lost in ")
                    .contains("Lock 'silent' was not confirmed in time.");
            kill("CONT", silent.handle().pid());
            try (var asking = new ProgramCalls(silent.address())) {
                var expires = Instant.parse(asking.get("/v1/locks/silent").text("expires_at"));
                assertThat(number(ended)).isLessThan(expires.toEpochMilli() * 1_000_000);
            }
        }
    }

    @Test
    void aServiceThatIsAwayIsReportedAndSoIsItsReturn() throws IOException {
        var ready = folder.resolve("ready");
        var done = folder.resolve("done");
        var data = PackagedProgram.newDataFolder().toString();
        try (var first = PackagedProgram.start(Map.of("HOLDFAST_DATA_DIR", data));
                var exec = PackagedCommand.start(
                        Map.of("HOLDFAST_URL", first.address().toString()),
                        "exec",
                        "--lock",
                        "away",
                        "--ttl",
                        "10m",
                        "--",
                        "sh",
                        "-c",
                        until(ready, done))) {
            awaitUntil(() -> Files.exists(ready));

            first.kill9();

            awaitUntil(() -> exec.err().endsWith(".\n"));
            assertThat(exec.err())
                    .matches("holdfast: http://\\S+ cannot be reached: connection refused\\."
                            + " Retrying; without an answer, 'away' counts as lost in 9m\\d\\ds\\.\n");
            first.awaitExit();
            var port = Integer.toString(first.address().getPort());
            try (var second = PackagedProgram.start(Map.of("HOLDFAST_DATA_DIR", data, "QUARKUS_HTTP_PORT", port))) {
                awaitUntil(() -> exec.err().endsWith(" answers again: 'away' is still held.\n"));
                Files.createFile(done);

                assertThat(exec.awaitExit()).as(exec.err()).isZero();
                assertThat(second.isAlive()).isTrue();
            }
        }
    }

    /**
     * Its ticks lie unread in its buffers, and must not be taken for news when it wakes up. The service sends many, so that
     * it soon notices a client that takes none.
     */
    @Test
    void whoWasPausedForTooLongStopsItsCommandWhenItWakesUp() throws IOException {
        var ready = folder.resolve("ready");
        var environment = Map.of(
                "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(), "HOLDFAST_HOLD_TICK_MAX", "200ms");
        try (var ticking = PackagedProgram.start(environment);
                var asking = new ProgramCalls(ticking.address());
                var exec = PackagedCommand.start(
                        Map.of("HOLDFAST_URL", ticking.address().toString()),
                        "exec",
                        "--lock",
                        "paused",
                        "--ttl",
                        "10s",
                        "--",
                        "sh",
                        "-c",
                        "touch " + ready + "; exec sleep 1000")) {
            awaitUntil(() -> Files.exists(ready));
            kill("STOP", exec.process().pid());
            var bobs = ProgramCalls.newLockId();
            awaitUntil(() -> asking.acquire("paused", "bob", bobs).status() == 201);

            kill("CONT", exec.process().pid());

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(asking.get("/v1/locks/paused").text("owner")).isEqualTo("bob");
        }
    }

    /** When it is looked for, its parent has gone, and it is nobody's child. */
    @Test
    void whatTheCommandStartsInItsLastMomentGoesWithIt() throws IOException {
        for (var by : List.of("loss", "signal")) {
            var lock = "last-" + by;
            var ready = folder.resolve(by + "-ready");
            var pid = folder.resolve(by + "-pid");
            try (var exec = execShell(
                    lock,
                    """
                    trap 'sleep 1000 & echo $! >%s; exit 0' TERM; touch %s; while :; do sleep 0.05; done"""
                            .formatted(pid, ready))) {
                awaitUntil(() -> Files.exists(ready));

                if (by.equals("loss")) {
                    force(lock);
                } else {
                    signal(exec, "TERM");
                }

                assertThat(exec.awaitExit()).isEqualTo(by.equals("loss") ? 5 : 0);
                var late = ProcessHandle.of(number(pid));
                // Until it is buried, it counts as alive.
                awaitUntil(() -> late.filter(ProcessHandle::isAlive).isEmpty());
            }
        }
    }

    /** To some, SIGHUP means to read their settings anew. What they start afterwards is not what they were told of. */
    @Test
    void whatIsStartedLongAfterASignalThatWasSurvivedStays() throws IOException {
        var ready = folder.resolve("ready");
        var pid = folder.resolve("pid");
        try (var exec = exec(
                "--lock",
                "reloaded",
                "--grace",
                "100ms",
                "--",
                "sh",
                "-c",
                "trap 'sleep 3; sleep 1000 & echo $! >%s; exit 0' HUP; touch %s; while :; do sleep 0.05; done"
                        .formatted(pid, ready))) {
            awaitUntil(() -> Files.exists(ready));

            signal(exec, "HUP");

            assertThat(exec.awaitExit()).isZero();
            isAsleep(number(pid));
            ProcessHandle.of(number(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** What has ended and is not buried counts as alive, too. */
    private static void isAsleep(long pid) throws IOException {
        assertThat(Files.readString(Path.of("/proc/" + pid + "/stat"))).contains("(sleep) S");
    }

    @Test
    void whatHasDetachedItselfStays() throws IOException {
        var pid = folder.resolve("pid");
        var ready = folder.resolve("ready");
        try (var exec = execShell(
                "daemon",
                "(setsid sh -c 'echo $$ >%s; exec sleep 1000' &); touch %s; sleep 1000".formatted(pid, ready))) {
            awaitUntil(() -> Files.exists(ready) && Files.exists(pid) && Files.size(pid) > 0);
            var daemon = ProcessHandle.of(number(pid)).orElseThrow();
            try {
                force("daemon");

                assertThat(exec.awaitExit()).isEqualTo(5);
                isAsleep(daemon.pid());
            } finally {
                daemon.destroyForcibly();
            }
        }
    }

    /** The command is done, and nobody is there to give the lock back to. */
    @Test
    void whoIsToldTwiceWaitsForNoAnswer() throws IOException {
        var ready = folder.resolve("ready");
        var done = folder.resolve("done");
        try (var wire = new Wire(program.address());
                var exec = execOver(
                        wire, "--lock", "told-twice", "--timeout", "40s", "--", "sh", "-c", until(ready, done))) {
            awaitUntil(() -> Files.exists(ready));
            wire.shut();
            Files.createFile(done);
            awaitUntil(() -> exec.process().descendants().findAny().isEmpty());

            awaitUntil(() -> {
                exec.process().destroy();
                return !exec.process().isAlive();
            });

            assertThat(exec.awaitExit()).isEqualTo(143);
        }
    }

    /** A terminal that was halted, or a pager that nobody scrolls: what cannot be said must keep nothing running. */
    @Test
    void aStderrThatNobodyReadsDoesNotKeepTheCommandRunning() throws IOException {
        var ready = folder.resolve("ready");
        var ended = folder.resolve("ended");
        var pipe = folder.resolve("pipe");
        // Whoever reads has opened it and does not; what fits into it is written before.
        var script =
                """
                mkfifo "$PIPE"; sleep 1000 <"$PIPE" & echo $! >"$PIPE.reader"; exec 2>"$PIPE"
                dd if=/dev/zero of="$PIPE" bs=4096 oflag=nonblock status=none 2>/dev/null
                exec %s exec --lock unread -- sh -c 'trap "touch $ENDED; exit" TERM; touch $READY; while :; do sleep 0.05; done'"""
                        .formatted(PackagedCommand.typed());
        try (var exec = PackagedCommand.script(
                Map.of(
                        "HOLDFAST_URL",
                        program.address().toString(),
                        "PIPE",
                        pipe.toString(),
                        "READY",
                        ready.toString(),
                        "ENDED",
                        ended.toString()),
                script)) {
            awaitUntil(() -> Files.exists(ready));

            force("unread");

            assertThat(exec.awaitExit()).isEqualTo(5);
            assertThat(ended).exists();
        } finally {
            // It outlives the program that it was a child of.
            ProcessHandle.of(number(Path.of(pipe + ".reader"))).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
