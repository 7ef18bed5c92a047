package io.holdfast.job.chaos;

import static io.holdfast.job.chaos.WorkerCalls.assertStale;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.boot.PackagedProgram;
import io.holdfast.boot.ProgramCalls.Answer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The scenarios that the concept of workers and locks demands, over HTTP against the running program. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JobChaosFacts {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** A dead worker is found within seconds. Leases that tests rely on are renewed by heartbeats. */
    private static final Map<String, String> QUICK = Map.of(
            "HOLDFAST_JOBS_LEASE", "4s",
            "HOLDFAST_JOBS_HEARTBEAT_EVERY", "1s",
            "HOLDFAST_JOBS_RETRY_DELAY", "100ms",
            "HOLDFAST_JOBS_ATTEMPTS_MAX", "1000",
            "HOLDFAST_JOBS_POLL_EVERY", "200ms",
            "HOLDFAST_JOBS_JANITOR_EVERY", "1s",
            "HOLDFAST_JOBS_JANITOR_FIRST_AFTER", "0s",
            "HOLDFAST_JOBS_JANITOR_RESCUE_AFTER", "500ms");

    private static final Map<String, String> SLOW = Map.of("HOLDFAST_JOBS_LEASE", "60m");

    private PackagedProgram quick;
    private PackagedProgram slow;
    private WorkerCalls mortal;
    private WorkerCalls calls;

    /** The store of one program. */
    abstract Map<String, String> store();

    @BeforeAll
    void start() {
        quick = start(QUICK);
        slow = start(SLOW);
        mortal = new WorkerCalls(quick.address());
        calls = new WorkerCalls(slow.address());
    }

    private PackagedProgram start(Map<String, String> settings) {
        var environment = new HashMap<>(store());
        environment.putAll(settings);
        return PackagedProgram.start(environment);
    }

    @AfterAll
    void end() {
        mortal.close();
        calls.close();
        quick.close();
        slow.close();
    }

    @Test
    void aWorkerThatCrashesDuringACreateIsReplaced() {
        var cluster = mortal.cluster();
        var job = mortal.submit(cluster, "CREATE");
        var dead = mortal.claim(cluster, "dead-" + cluster);
        assertThat(mortal.clusterStatus(cluster)).isEqualTo("CREATING");

        // It sends no heartbeat. Its lease expires, and the janitor ends its run.
        var next = mortal.claim(cluster, "next-" + cluster);

        assertThat(next.job()).isEqualTo(job);
        assertThat(next.attempt()).isEqualTo(2);
        assertThat(next.epoch()).isGreaterThan(dead.epoch());
        assertStale(mortal.heartbeat(dead));
        assertStale(mortal.complete(dead));
        assertThat(mortal.job(job).body().at("/runs/0/error_code").asText()).isEqualTo("WORKER_TIMEOUT");
        // On a machine that is busy for longer than the lease, a further attempt succeeds.
        var worker = new AtomicInteger();
        while (mortal.complete(next).status() != 200) {
            next = mortal.claim(cluster, "next-" + worker.incrementAndGet() + "-" + cluster);
        }
        assertThat(mortal.jobStatus(job)).isEqualTo("SUCCEEDED");
        assertThat(mortal.clusterStatus(cluster)).isEqualTo("READY");
    }

    @Test
    void ofThreeDestroysOneRunsAndTwoEnd() throws Exception {
        var cluster = calls.readyCluster();
        var jobs = InParallel.call(3, number -> calls.submit(cluster, "DESTROY"));

        var answers = InParallel.call(3, worker -> calls.ask(cluster, "destroyer-" + worker + "-" + cluster, "0s"));

        var claims = answers.stream().filter(answer -> answer.status() == 200).toList();
        assertThat(claims).hasSize(1);
        var runs = WorkerCalls.claim(claims.getFirst());
        assertThat(calls.complete(runs).status()).isEqualTo(200);
        assertThat(calls.clusterStatus(cluster)).isEqualTo("DESTROYED");
        assertThat(jobs).filteredOn(job -> !job.equals(runs.job())).hasSize(2).allSatisfy(job -> {
            assertThat(calls.jobStatus(job)).isEqualTo("FAILED");
            assertThat(calls.job(job).text("error_code")).isEqualTo("ILLEGAL_STATE");
        });
    }

    @Test
    void ofTwoWorkersThatClaimAtOnceOneGetsTheJob() throws Exception {
        for (var i = 0; i < 20; i++) {
            var cluster = calls.cluster();
            calls.submit(cluster, "CREATE");

            var answers = InParallel.call(2, worker -> calls.ask(cluster, "w-" + worker + "-" + cluster, "0s"));

            assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 204);
        }
    }

    @Test
    void aClusterIsNotCreatedWhileItIsDestroyed() {
        var cluster = calls.readyCluster();
        calls.submit(cluster, "DESTROY");
        var destroy = calls.claim(cluster, "destroyer-" + cluster);

        assertThat(calls.trySubmit(cluster, "CREATE").text("code")).isEqualTo("illegal-transition");
        assertThat(calls.create("again-" + cluster, cluster).text("code")).isEqualTo("name-taken");

        assertThat(calls.complete(destroy).status()).isEqualTo(200);
        assertThat(calls.create("again-" + cluster, cluster).status()).isEqualTo(201);
    }

    @Test
    void aDestroyWaitsForTheCreateThatRuns() {
        var cluster = calls.cluster();
        calls.submit(cluster, "CREATE");
        var create = calls.claim(cluster, "creator-" + cluster);
        var destroy = calls.submit(cluster, "DESTROY");

        assertThat(calls.ask(cluster, "destroyer-" + cluster, "0s").status()).isEqualTo(204);

        assertThat(calls.complete(create).status()).isEqualTo(200);
        assertThat(calls.claim(cluster, "destroyer-" + cluster).job()).isEqualTo(destroy);
        assertThat(calls.clusterStatus(cluster)).isEqualTo("DESTROYING");
    }

    @Test
    void aWorkerThatSleepsPastItsLeaseCannotFinish() {
        var cluster = mortal.cluster();
        mortal.submit(cluster, "CREATE");
        var claim = mortal.claim(cluster, "sleeper-" + cluster);

        // No heartbeat: the janitor ends its run after the lease.
        await().atMost(PATIENCE).until(() -> !mortal.jobStatus(claim.job()).equals("RUNNING"));

        assertStale(mortal.complete(claim));
        assertThat(mortal.clusterStatus(cluster)).isEqualTo("CREATING");
    }

    @Test
    void submissionsWithOneKeyAreOneJob() throws Exception {
        var cluster = calls.readyCluster();

        var answers = InParallel.call(6, number -> calls.submitWithKey(cluster, "DESTROY", "only-one"));

        assertThat(answers).extracting(Answer::status).containsOnlyOnce(201).contains(200);
        assertThat(answers)
                .extracting(answer -> answer.text("id"))
                .containsOnly(answers.getFirst().text("id"));
    }
}
