package io.holdfast.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boot.PackagedProgram;
import io.holdfast.boot.ProgramCalls.Answer;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two programs on one table, which are asked at the same moment. */
class JobReplicasIT {
    private static final int ROUNDS = 10;

    private static PackagedProgram one;
    private static PackagedProgram other;
    private static WorkerCalls here;
    private static WorkerCalls there;

    @BeforeAll
    static void start() {
        var environment = Map.of(
                "HOLDFAST_STORE", "dynamodb",
                "HOLDFAST_TABLE", "job-replicas-" + UUID.randomUUID(),
                "HOLDFAST_DYNAMODB_TABLE_CREATE", "true",
                "HOLDFAST_JOBS_ATTEMPTS_MAX", "1",
                "HOLDFAST_JOBS_POLL_EVERY", "200ms",
                "QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                        DynamoDbLocal.shared().endpoint().toString(),
                "AWS_REGION", "us-east-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test");
        one = PackagedProgram.start(environment);
        other = PackagedProgram.start(environment);
        here = new WorkerCalls(one.address());
        there = new WorkerCalls(other.address());
    }

    @AfterAll
    static void end() {
        here.close();
        there.close();
        one.close();
        other.close();
    }

    @Test
    void submissionsWithOneKeyAreOneJob() throws Exception {
        for (var i = 0; i < ROUNDS; i++) {
            var cluster = here.cluster();

            var answers = atBoth(calls -> calls.submitWithKey(cluster, "CREATE", "only-one"));

            assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(201, 200);
            assertThat(answers)
                    .extracting(answer -> answer.text("id"))
                    .containsOnly(answers.getFirst().text("id"));
        }
    }

    @Test
    void ofTwoWorkersOneGetsTheJob() throws Exception {
        for (var i = 0; i < ROUNDS; i++) {
            var cluster = here.cluster();
            here.submit(cluster, "CREATE");

            var answers = atBoth(calls -> calls.ask(cluster, "w-" + UUID.randomUUID(), "0s"));

            assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 204);
        }
    }

    @Test
    void aWorkerThatAsksTheOtherReplicaAgainGetsTheSameClaim() {
        var cluster = here.cluster();
        here.submit(cluster, "CREATE");
        var told = here.claim(cluster, "again-" + cluster);

        var again = there.claim(cluster, "again-" + cluster);

        assertThat(again.job()).isEqualTo(told.job());
        assertThat(again.epoch()).isEqualTo(told.epoch());
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(here.complete(told).status()).isEqualTo(200);
    }

    @Test
    void ofTwoRetriesOfADeadLetterOneSucceeds() throws Exception {
        for (var i = 0; i < ROUNDS; i++) {
            var cluster = here.cluster();
            var job = here.submit(cluster, "CREATE");
            here.fail(here.claim(cluster, "w-" + cluster), true);
            assertThat(there.jobStatus(job)).isEqualTo("DEAD");

            var answers = atBoth(calls -> calls.retry(job));

            assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 409);
            assertThat(here.complete(there.claim(cluster, "w-" + cluster)).status())
                    .isEqualTo(200);
            assertThat(there.jobStatus(job)).isEqualTo("SUCCEEDED");
        }
    }

    @Test
    void aFinishIsNotLostToACancelOfTheSameMoment() throws Exception {
        for (var i = 0; i < ROUNDS; i++) {
            var cluster = here.cluster();
            here.submit(cluster, "CREATE");
            var claim = here.claim(cluster, "w-" + cluster);

            var answers = InParallel.call(2, number -> number == 0 ? here.complete(claim) : there.cancel(claim.job()));

            assertThat(answers.get(0).status()).isEqualTo(200);
            assertThat(answers.get(1).status()).isIn(200, 409);
            assertThat(here.jobStatus(claim.job())).isEqualTo("SUCCEEDED");
            assertThat(there.clusterStatus(cluster)).isEqualTo("READY");
        }
    }

    /** Either the scale is claimed first, and the destroy waits for it, or the destroy supersedes the scale. */
    @Test
    void aDestroyThatComesWhileAScaleIsClaimedWaitsForItOrSupersedesIt() throws Exception {
        for (var i = 0; i < ROUNDS; i++) {
            var cluster = here.readyCluster();
            var scale = here.submit(cluster, "SCALE_WORKERS");

            var answers = InParallel.call(
                    2,
                    number -> number == 0
                            ? here.ask(cluster, "scaler-" + cluster, "0s")
                            : there.trySubmit(cluster, "DESTROY"));

            var destroy = answers.get(1);
            assertThat(destroy.status()).isEqualTo(201);
            var claimed = answers.get(0);
            if (claimed.status() == 200 && WorkerCalls.claim(claimed).job().equals(scale)) {
                assertThat(there.jobStatus(scale)).isEqualTo("RUNNING");
                assertThat(there.ask(cluster, "destroyer-" + cluster, "0s").status())
                        .isEqualTo(204);
                assertThat(here.complete(WorkerCalls.claim(claimed)).status()).isEqualTo(200);
            } else {
                assertThat(there.job(scale).text("error_code")).isEqualTo("SUPERSEDED");
            }
            var last =
                    claimed.status() == 200 && !WorkerCalls.claim(claimed).job().equals(scale)
                            ? WorkerCalls.claim(claimed)
                            : there.claim(cluster, "destroyer-" + cluster);
            assertThat(last.job()).isEqualTo(destroy.text("id"));
            assertThat(there.complete(last).status()).isEqualTo(200);
            assertThat(here.clusterStatus(cluster)).isEqualTo("DESTROYED");
        }
    }

    private interface Call {
        Answer at(WorkerCalls calls);
    }

    private static List<Answer> atBoth(Call call) throws Exception {
        return InParallel.call(2, number -> call.at(number == 0 ? here : there));
    }
}
