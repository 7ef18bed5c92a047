package io.holdfast.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boot.PackagedProgram;
import io.holdfast.boot.ProgramCalls.Answer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The program is killed again and again while clients submit, claim and complete. */
class JobKillNineIT {
    private static final int KILLS = Integer.getInteger("holdfast.test.job-kills", 50);
    private static final int CLIENTS = 4;
    private static final int JOBS_BEFORE_A_KILL = 12;

    private final Map<String, String> environment = Map.of(
            "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(), "HOLDFAST_JOBS_POLL_EVERY", "200ms");

    /** What clients were told. */
    private final Set<String> submitted = ConcurrentHashMap.newKeySet();

    private final Set<String> completed = ConcurrentHashMap.newKeySet();
    private final Map<String, String> workerByRun = new ConcurrentHashMap<>();
    private final Queue<AssertionError> violations = new ConcurrentLinkedQueue<>();

    @Test
    void nothingThatWasAnsweredIsLostAndNoRunHasTwoWorkers() throws Exception {
        for (var kill = 0; kill < KILLS; kill++) {
            try (var program = PackagedProgram.start(environment)) {
                storm(program);
            }
        }
        try (var program = PackagedProgram.start(environment);
                var calls = new WorkerCalls(program.address())) {
            assertThat(violations).isEmpty();
            assertThat(submitted).hasSizeGreaterThan(KILLS);
            assertThat(submitted)
                    .allSatisfy(job -> assertThat(calls.job(job).status()).isEqualTo(200));
            assertThat(completed).isNotEmpty().allSatisfy(job -> assertThat(calls.jobStatus(job))
                    .isEqualTo("SUCCEEDED"));
            assertThat(workerByRun.keySet()).isNotEmpty().allSatisfy(run -> assertThat(
                            firstRunOf(run.split(" ")[0], calls))
                    .isEqualTo(run));
        }
    }

    /** No lease ends during the test, so a claim that a worker was told of is the only run of its job. */
    private static String firstRunOf(String job, WorkerCalls calls) {
        return job + " " + calls.job(job).body().at("/runs/0/epoch").asLong();
    }

    private void storm(PackagedProgram program) throws InterruptedException {
        var done = new CountDownLatch(JOBS_BEFORE_A_KILL);
        List<Thread> clients = new ArrayList<>();
        for (var i = 0; i < CLIENTS; i++) {
            var address = program.address();
            clients.add(Thread.ofVirtual().start(() -> beClient(address, done)));
        }
        done.await();
        program.kill9();
        program.awaitExit();
        for (var client : clients) {
            client.join();
        }
    }

    /** Goes on until the program is killed. */
    private void beClient(URI address, CountDownLatch done) {
        try (var calls = new WorkerCalls(address)) {
            while (true) {
                var cluster = calls.cluster();
                submitted.add(calls.submit(cluster, "CREATE"));
                var claim = told(calls.ask(cluster, "w-" + UUID.randomUUID(), "10s"));
                if (claim != null && calls.complete(claim).status() == 200) {
                    completed.add(claim.job());
                }
                done.countDown();
            }
        } catch (RuntimeException killed) {
            // The program was killed before it could answer.
        } catch (AssertionError e) {
            violations.add(e);
        } finally {
            while (done.getCount() > 0) {
                done.countDown();
            }
        }
    }

    private WorkerCalls.Claim told(Answer answer) {
        if (answer.status() != 200) {
            return null;
        }
        var claim = WorkerCalls.claim(answer);
        var worker = answer.body().at("/job/worker").asText();
        assertThat(workerByRun.putIfAbsent(claim.job() + " " + claim.epoch(), worker))
                .isNull();
        return claim;
    }
}
