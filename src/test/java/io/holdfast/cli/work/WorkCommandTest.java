package io.holdfast.cli.work;

import static io.holdfast.cli.work.FakeJobService.NOTHING_TO_DO;
import static io.holdfast.cli.work.FakeJobService.STALE;
import static io.holdfast.cli.work.FakeJobService.UNAVAILABLE;
import static io.holdfast.cli.work.FakeJobService.alive;
import static io.holdfast.cli.work.FakeJobService.job;
import static io.holdfast.cli.work.FakeJobService.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CliCalls;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker with real handlers, and a service that answers what a test wants. */
@Slow
class WorkCommandTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration OFTEN = Duration.ofMillis(100);
    private static final FakeJobService.Reply BUSY = problem(409, "worker-busy", "Worker w runs a job already.");

    @TempDir
    Path folder;

    private FakeJobService service;

    @BeforeEach
    void serve() throws IOException {
        service = new FakeJobService();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void theHandlerGetsTheClaimAndItsResultIsReported() throws InterruptedException {
        service.answering("claim", job(LONG, LONG));

        var work = WorkInProcess.script(
                service,
                "--once --label region=eu",
                """
                cat
                echo "$HOLDFAST_JOB_ID|$HOLDFAST_JOB_TYPE|$HOLDFAST_CLUSTER|$HOLDFAST_EPOCH|$HOLDFAST_ATTEMPT|$HOLDFAST_WORKER"
                echo 'holdfast: result {"nodes": 3}'""");

        assertThat(work.awaitExit()).as(work.err()).isZero();
        var claim = service.asked("claim");
        assertThat(claim.path("worker").asText()).isEqualTo("w");
        assertThat(claim.path("types").toString()).isEqualTo("[\"CREATE\",\"DESTROY\"]");
        assertThat(claim.path("labels").toString()).isEqualTo("{\"region\":\"eu\"}");
        assertThat(claim.path("wait").asText()).isEqualTo("60000ms");
        var lines = work.out().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(CliCalls.parsed(lines.getFirst()).at("/job/params/workers").asInt())
                .isEqualTo(3);
        assertThat(lines.getLast()).isEqualTo("%s|CREATE|web|%d|2|w".formatted(FakeClaims.JOB, FakeClaims.EPOCH));
        var complete = service.asked("complete");
        assertThat(complete.path("epoch").asLong()).isEqualTo(FakeClaims.EPOCH);
        assertThat(complete.at("/result/nodes").asInt()).isEqualTo(3);
        assertThat(work.err())
                .isEqualTo(
                        """
                        holdfast: Job %s: CREATE of cluster web, attempt 2.
                        holdfast: Job %s: Succeeded.
                        """
                                .replace("%s", FakeClaims.JOB));
    }

    @Test
    void theExitCodeTellsWhetherToTryAgain() throws InterruptedException {
        for (var script : List.of("exit 75", "exit 3", "echo holdfast: error QUOTA too small; exit 1")) {
            service.answering("claim", job(LONG, LONG));

            assertThat(WorkInProcess.script(service, "--once", script).awaitExit())
                    .isEqualTo(1);
        }

        assertFailed("EXIT_75", true);
        assertFailed("EXIT_3", false);
        assertThat(assertFailed("QUOTA", false).path("message").asText()).isEqualTo("too small");
    }

    @Test
    void progressIsSentWithAHeartbeatAndNotPrinted() throws InterruptedException, IOException {
        service.answering("claim", job(LONG, LONG));
        var work = WorkInProcess.script(
                service, "--once", "echo begun; echo holdfast: progress 40 half way; " + until("done"));

        var heartbeat = service.asked("heartbeat");
        assertThat(heartbeat.path("epoch").asLong()).isEqualTo(FakeClaims.EPOCH);
        assertThat(heartbeat.path("progress").toString()).isEqualTo("{\"percent\":40,\"message\":\"half way\"}");
        create("done");

        assertThat(work.awaitExit()).isZero();
        assertThat(work.out()).isEqualTo("begun\n");
    }

    @Test
    void aCancelledJobStopsItsHandler() throws InterruptedException {
        service.answering("claim", job(LONG, OFTEN)).answering("heartbeat", alive(LONG, false), alive(LONG, true));

        var work = WorkInProcess.script(service, "--once", untilTerm("exit 0"));

        assertThat(work.awaitExit()).isEqualTo(1);
        assertThat(file("terminated")).exists();
        assertFailed("CANCELLED", false);
        assertThat(service.actions()).doesNotContain("complete");
    }

    @Test
    void aLostClaimStopsTheHandlerAndIsNotReported() throws InterruptedException {
        service.answering("claim", job(LONG, OFTEN)).answering("heartbeat", alive(LONG, false), STALE);

        var work = WorkInProcess.script(service, "--once", untilTerm("exit 1"));

        assertThat(work.awaitExit()).isEqualTo(5);
        assertThat(file("terminated")).exists();
        assertThat(service.actions()).doesNotContain("complete", "fail");
        assertThat(work.err()).contains("Worker w no longer runs this job. The handler is stopped.");
    }

    @Test
    void aHandlerThatIgnoresSigtermIsKilledAfterTheGrace() throws InterruptedException {
        service.answering("claim", job(LONG, OFTEN)).answering("heartbeat", alive(LONG, true));

        var work = WorkInProcess.script(
                service, "--once --stop-grace 200ms", "trap '' TERM; while :; do sleep 0.05; done");

        assertThat(work.awaitExit()).isEqualTo(1);
        assertFailed("CANCELLED", false);
    }

    @Test
    void aFailedHeartbeatIsRepeated() throws InterruptedException, IOException {
        service.answering("claim", job(LONG, OFTEN)).answering("heartbeat", UNAVAILABLE);
        var work = WorkInProcess.script(service, "--once", until("done"));

        service.asked("heartbeat");
        service.asked("heartbeat");
        create("done");

        assertThat(work.awaitExit()).isZero();
        assertThat(work.err())
                .contains("The store is away. Retrying; without an answer, 'CLUSTER#web' counts as lost in 59m");
    }

    @Test
    void anUnconfirmedLeaseStopsTheHandlerBeforeItExpires() throws InterruptedException {
        service.answering("claim", job(Duration.ofSeconds(6), OFTEN))
                .answering("heartbeat", UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE)
                .answering("heartbeat", UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE);

        var work = WorkInProcess.script(service, "--once --stop-grace 20s", untilTerm("exit 1"));

        assertThat(work.awaitExit()).isEqualTo(1);
        assertThat(file("terminated")).exists();
        assertThat(assertFailed("HEARTBEAT_FAILED", true).path("message").asText())
                .isEqualTo("The lease was not confirmed in time. The store is away.");
    }

    /** The grace is longer than the lease. */
    @Test
    void aHandlerThatIgnoresSigtermIsKilledBeforeAnUnconfirmedLeaseExpires() throws InterruptedException, IOException {
        var lease = Duration.ofSeconds(6);
        service.answering("claim", job(lease, OFTEN))
                .answering("heartbeat", UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE)
                .answering("heartbeat", UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE);

        var work = WorkInProcess.script(
                service,
                "--once --stop-grace 20s",
                "trap '' TERM; while :; do date +%%s%%3N >>%s; sleep 0.05; done".formatted(file("alive")));
        service.asked("claim");
        var claimedBefore = System.currentTimeMillis();

        assertThat(work.awaitExit()).isEqualTo(1);
        assertFailed("HEARTBEAT_FAILED", true);
        assertThat(Long.parseLong(Files.readAllLines(file("alive")).getLast()))
                .isLessThan(claimedBefore + lease.toMillis());
    }

    @Test
    void aRunAtItsDeadlineIsStopped() throws InterruptedException {
        var atDeadline = FakeClaims.json(FakeClaims.JOB, Duration.ofSeconds(3), LONG)
                .replaceFirst("\"deadline_ms\":[0-9]+", "\"deadline_ms\":3000");
        service.answering("claim", new FakeJobService.Reply(200, atDeadline))
                .answering("heartbeat", alive(Duration.ofMillis(1500), false));

        var work = WorkInProcess.script(service, "--once", untilTerm("exit 1"));

        assertThat(work.awaitExit()).isEqualTo(1);
        assertFailed("DEADLINE_EXCEEDED", true);
    }

    @Test
    void aReportIsRepeatedUntilItIsAnswered() throws InterruptedException {
        service.answering("claim", job(LONG, LONG)).answering("complete", UNAVAILABLE, UNAVAILABLE);

        assertThat(WorkInProcess.script(service, "--once", "exit 0").awaitExit())
                .isZero();

        assertThat(service.actions()).containsExactly("claim", "complete", "complete", "complete");
    }

    @Test
    void aReportThatComesTooLateIsALoss() throws InterruptedException {
        service.answering("claim", job(LONG, LONG)).answering("complete", STALE);

        var work = WorkInProcess.script(service, "--once", "exit 0");

        assertThat(work.awaitExit()).isEqualTo(5);
        assertThat(work.err()).contains("Worker w no longer runs this job. Its end was not accepted.");
    }

    @Test
    void aResultThatTheServiceRefusesIsLeftOut() throws InterruptedException {
        service.answering("claim", job(LONG, LONG))
                .answering("complete", problem(400, "invalid-input", "result must be smaller."));

        assertThat(WorkInProcess.script(service, "--once", "echo 'holdfast: result {}'")
                        .awaitExit())
                .isZero();

        assertThat(service.asked("complete").has("result")).isTrue();
        assertThat(service.asked("complete").has("result")).isFalse();
    }

    /** The service did not hear of the end, so it tells the worker again of the job that it runs. */
    @Test
    void aRunThatWasNotReportedIsReportedWhenItIsClaimedAgain() throws InterruptedException, IOException {
        service.answering("claim", job(LONG, LONG), job(LONG, LONG))
                .answering("complete", problem(403, "forbidden", "Not now."));

        var work = WorkInProcess.script(service, "", "echo ran >>" + file("runs"));
        service.asked("complete");
        service.asked("complete");
        work.terminate();

        assertThat(work.awaitExit()).isZero();
        assertThat(Files.readAllLines(file("runs"))).hasSize(1);
        assertThat(work.err()).contains("Not now. Its end was not reported; the lease expires in 59m");
    }

    /** After a heartbeat the service does not tell it again, because another process may have the same name. */
    @Test
    void aRunThatWasNotReportedIsReportedWhenTheServiceWaitsForIt() throws InterruptedException, IOException {
        service.answering("claim", job(LONG, LONG), BUSY, job(LONG, LONG))
                .answering("complete", problem(403, "forbidden", "Not now."));

        var work = WorkInProcess.script(service, "", "echo ran >>" + file("runs"));
        await().until(() ->
                Files.exists(file("runs")) && Files.readAllLines(file("runs")).size() == 2);
        service.asked("complete");
        service.asked("complete");
        service.asked("complete");
        work.terminate();

        assertThat(work.awaitExit()).isZero();
        assertThat(work.err()).contains("Its end was not reported", "Succeeded.");
    }

    @Test
    void aNameThatAnotherWorkerHasIsTriedAgain() throws InterruptedException {
        service.answering("claim", BUSY, job(LONG, LONG));

        var work = WorkInProcess.script(service, "--once", "exit 0");

        assertThat(work.awaitExit()).isZero();
        assertThat(work.err()).startsWith("holdfast: Worker w runs a job already. Retrying.\n");
    }

    @Test
    void aServiceWithoutWorkIsAskedAgain() throws InterruptedException {
        service.answering("claim", NOTHING_TO_DO, NOTHING_TO_DO, job(LONG, LONG));

        assertThat(WorkInProcess.script(service, "--once", "exit 0").awaitExit())
                .isZero();
    }

    @Test
    void aServiceThatFailsIsAskedAgainAndReportedOnce() throws InterruptedException {
        service.answering("claim", UNAVAILABLE, UNAVAILABLE, job(LONG, LONG));

        var work = WorkInProcess.script(service, "--once", "exit 0");

        assertThat(work.awaitExit()).isZero();
        assertThat(work.err())
                .startsWith("holdfast: The store is away. Retrying.\nholdfast: %s answers again.\n"
                        .formatted(service.url()))
                .containsOnlyOnce("Retrying");
    }

    @Test
    void aServiceThatAllowsShorterWaitsIsAskedForThose() throws InterruptedException {
        var tooLong = new FakeJobService.Reply(
                400, "{\"code\":\"invalid-input\",\"field\":\"wait\",\"detail\":\"wait must be shorter\"}");
        service.answering("claim", tooLong, job(LONG, LONG));

        assertThat(WorkInProcess.script(service, "--once", "exit 0").awaitExit())
                .isZero();

        service.asked("claim");
        assertThat(service.asked("claim").path("wait").asText()).isEqualTo("30000ms");
    }

    @Test
    void aWorkerThatIsRefusedEnds() throws InterruptedException {
        service.answering("claim", problem(400, "invalid-input", "types must be known."));

        var work = WorkInProcess.script(service, "", "exit 0");

        assertThat(work.awaitExit()).isEqualTo(2);
        assertThat(work.err()).isEqualTo("holdfast: types must be known.\n");
    }

    @Test
    void anIdleWorkerStopsAtOnceAndLooksForAJobThatItMayHaveMissed() throws InterruptedException {
        var work = WorkInProcess.script(service, "", "exit 0");
        service.asked("claim");

        work.terminate();

        assertThat(work.awaitExit()).isZero();
        var last = service.asked("claim");
        assertThat(last.path("wait").asText()).isEqualTo("0ms");
        assertThat(last.path("labels").has("holdfast/stopping")).isTrue();
        assertThat(service.actions()).containsExactly("claim", "claim");
    }

    @Test
    void aHandlerMayEndBeforeTheWorkerStops() throws InterruptedException, IOException {
        service.answering("claim", job(LONG, OFTEN));
        var work = WorkInProcess.script(service, "--stop-grace 1m", until("done"));
        service.asked("heartbeat");

        work.terminate();
        await().until(() -> work.err().contains("The worker stops when the handler has ended"));
        create("done");

        assertThat(work.awaitExit()).isZero();
        assertThat(service.actions()).contains("complete").containsOnlyOnce("claim");
    }

    @Test
    void aHandlerThatRunsOnIsStoppedWithTheWorker() throws InterruptedException {
        service.answering("claim", job(LONG, OFTEN));
        var work = WorkInProcess.script(service, "--stop-grace 500ms", untilTerm("exit 0"));
        service.asked("heartbeat");
        await().until(() -> Files.exists(file("ready")));

        work.terminate();

        assertThat(work.awaitExit()).isZero();
        assertThat(file("terminated")).exists();
        assertFailed("WORKER_STOPPED", true);
    }

    @Test
    void theSecondSignalKillsTheHandler() throws InterruptedException {
        service.answering("claim", job(LONG, OFTEN));
        var work = WorkInProcess.script(
                service,
                "--stop-grace 1h",
                "trap '' TERM; touch %s; while :; do sleep 0.05; done".formatted(file("ready")));
        await().until(() -> Files.exists(file("ready")));

        work.terminate();
        work.terminate();

        assertThat(work.awaitExit()).isEqualTo(143);
        assertFailed("WORKER_STOPPED", true);
    }

    @Test
    void slotsHaveNamesAndPrefixes() throws InterruptedException {
        service.answering("claim", job(LONG, LONG), job(LONG, LONG));

        var work = WorkInProcess.script(service, "--once --parallel 2", "echo \"$HOLDFAST_WORKER\"; echo wrong >&2");

        assertThat(work.awaitExit()).isZero();
        assertThat(work.out().lines()).containsExactlyInAnyOrder("[1] w-1", "[2] w-2");
        assertThat(work.err()).contains("[1] wrong\n", "[2] wrong\n", "holdfast: [2] Job ");
    }

    @Test
    void aHandlerThatDoesNotExistEndsTheWorkerBeforeItClaims() throws InterruptedException {
        var work = WorkInProcess.start(service, "", List.of("no-such-handler"));

        assertThat(work.awaitExit()).isEqualTo(127);
        assertThat(work.err()).isEqualTo("holdfast: There is no command 'no-such-handler'.\n");
        assertThat(service.actions()).isEmpty();
    }

    @Test
    void aHandlerThatCannotBeStartedEndsTheWorkerAndItsJobIsTriedAgain() throws InterruptedException, IOException {
        var script = Files.writeString(file("script"), "#!/no/such/interpreter\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        service.answering("claim", job(LONG, LONG));

        var work = WorkInProcess.start(service, "", List.of(script.toString()));

        assertThat(work.awaitExit()).isEqualTo(126);
        assertFailed("HANDLER_NOT_STARTED", true);
    }

    @Test
    void aHandlerNeedNotReadItsInput() throws InterruptedException {
        service.answering("claim", job(LONG, LONG));

        assertThat(WorkInProcess.script(service, "--once", "exec <&-; exit 0").awaitExit())
                .isZero();
    }

    /** What it leaves behind holds its stdout open. */
    @Test
    void theEndOfTheHandlerIsNotThatOfItsBackgroundProcesses() throws InterruptedException, IOException {
        service.answering("claim", job(LONG, LONG));

        var work = WorkInProcess.script(service, "--once", "sleep 1000 & echo $! >%s; exit 0".formatted(file("pid")));

        assertThat(work.awaitExit()).isZero();
        ProcessHandle.of(Long.parseLong(Files.readString(file("pid")).strip()))
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    private JsonNode assertFailed(String code, boolean retryable) throws InterruptedException {
        var fail = service.asked("fail");
        assertThat(fail.path("error_code").asText()).isEqualTo(code);
        assertThat(fail.path("retryable").asBoolean(!retryable)).isEqualTo(retryable);
        assertThat(fail.path("epoch").asLong()).isEqualTo(FakeClaims.EPOCH);
        return fail;
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private void create(String name) throws IOException {
        Files.createFile(file(name));
    }

    /** For a shell: waits for the file. */
    private String until(String name) {
        return "while [ ! -e %s ]; do sleep 0.05; done".formatted(file(name));
    }

    /** For a shell: waits for SIGTERM. */
    private String untilTerm(String then) {
        return "trap 'touch %s; %s' TERM; touch %s; while :; do sleep 0.05; done"
                .formatted(file("terminated"), then, file("ready"));
    }
}
