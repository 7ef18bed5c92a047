package io.holdfast.http.job;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.job.JobCalls.claim;
import static io.holdfast.http.job.JobCalls.claimed;
import static io.holdfast.http.job.JobCalls.cluster;
import static io.holdfast.http.job.JobCalls.complete;
import static io.holdfast.http.job.JobCalls.epoch;
import static io.holdfast.http.job.JobCalls.heartbeat;
import static io.holdfast.http.job.JobCalls.job;
import static io.holdfast.http.job.JobCalls.status;
import static io.holdfast.http.job.JobCalls.submitted;
import static io.holdfast.http.job.JobCalls.waits;
import static io.holdfast.http.lock.LockCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.Calls;
import io.holdfast.http.Json;
import io.holdfast.http.RawHttp;
import io.holdfast.http.lock.LockCalls;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Workers that ask for a job, and wait for one. */
interface ClaimFacts {
    @Test
    default void aClaimHasTheJobItsClusterItsEpochAndItsLease() {
        var id = cluster();
        var create = submitted(id, "CREATE");

        var claim = claimed(id, "w-" + id).json();

        assertThat(claim.getString("job.id")).isEqualTo(create);
        assertThat(claim.getString("job.status")).isEqualTo("RUNNING");
        assertThat(claim.getString("job.worker")).isEqualTo("w-" + id);
        assertThat(claim.getInt("job.attempt")).isOne();
        assertThat(claim.getLong("job.epoch")).isEqualTo(claim.getLong("epoch"));
        assertThat(claim.getString("cluster.id")).isEqualTo(id);
        assertThat(claim.getString("cluster.status")).isEqualTo("CREATING");
        assertThat(claim.getLong("lease.ttl_ms")).isEqualTo(Duration.ofHours(1).toMillis());
        assertThat(claim.getLong("lease.remaining_ms")).isBetween(1L, claim.getLong("lease.ttl_ms"));
        assertThat(claim.getLong("lease.heartbeat_every_ms"))
                .isEqualTo(Duration.ofMinutes(5).toMillis());
        assertThat(claim.getString("lease.expires_at")).isEqualTo(claim.getString("job.lease_expires_at"));
        assertThat(Instant.parse(claim.getString("job.lease_expires_at")))
                .isEqualTo(Instant.parse(claim.getString("job.started_at")).plus(Duration.ofHours(1)));
        assertThat(claim.<Map<String, Object>>getList("job.runs"))
                .singleElement()
                .satisfies(run -> assertThat(run).containsOnlyKeys("attempt", "epoch", "worker", "started_at"));
    }

    @Test
    default void aWorkerHoldsTheLockOfTheClusterWhileItRunsAJob() {
        var id = cluster();
        submitted(id, "CREATE");

        var claim = claimed(id, "w-" + id);

        var lock = LockCalls.get("CLUSTER#" + id).expect(200).json();
        assertThat(lock.getString("status")).isEqualTo("active");
        assertThat(lock.getString("owner")).isEqualTo("w-" + id);
        assertThat(lock.getLong("fencing_token")).isEqualTo(epoch(claim));
        assertThat(lock.getString("lock_type")).isEqualTo("cluster");
        assertThat(lock.getString("metadata.job_id")).isEqualTo(claim.path("job.id"));
        complete(claim);
        assertThat(LockCalls.get("CLUSTER#" + id).<String>path("status")).isEqualTo("released");
    }

    @Test
    default void aWorkerThatAsksAgainGetsTheSameJobAndTheSameEpoch() {
        var id = cluster();
        submitted(id, "CREATE");
        var first = claimed(id, "w-" + id);

        var again = claimed(id, "w-" + id);

        assertThat(again.<String>path("job.id")).isEqualTo(first.path("job.id"));
        assertThat(epoch(again)).isEqualTo(epoch(first));
        assertThat(again.<Integer>path("job.attempt")).isOne();
        complete(again);
    }

    /** A worker runs one job at a time, so it is told of the one that it has. */
    @Test
    default void aWorkerWithAJobGetsNoOther() {
        var one = cluster();
        var other = cluster();
        submitted(one, "CREATE");
        var second = submitted(other, "CREATE");
        var first = claimed(one, "w-" + one);

        var again = claimed(other, "w-" + one);

        assertThat(again.<String>path("job.id")).isEqualTo(first.path("job.id"));
        assertThat(job(second).<String>path("status")).isEqualTo("QUEUED");
    }

    /** A heartbeat shows that the worker knows its job. */
    @Test
    default void anotherProcessWithTheNameOfAWorkerIsRefused() {
        var id = cluster();
        submitted(id, "CREATE");
        var claim = claimed(id, "w-" + id);
        heartbeat(claim).expect(200);

        var refused = claim(id, "w-" + id);

        assertProblem(refused, 409, "worker-busy");
        assertThat(refused.<String>path("job.id")).isEqualTo(claim.path("job.id"));
        assertThat(refused.<String>path("detail")).contains("w-" + id);
        heartbeat(claim).expect(200);
    }

    @Test
    default void aWorkerGetsOnlyJobsOfItsTypesAndLabels() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        var wrongType = Map.of("worker", "w-" + id, "types", List.of("DESTROY"), "labels", Map.of("test", id));
        var wrongLabel = Map.of("worker", "w-" + id, "labels", Map.of("test", id, "region", "eu"));
        var right = Map.of("worker", "w-" + id, "types", List.of("DESTROY", "CREATE"), "labels", Map.of("test", id));

        assertThat(Calls.post("/v1/jobs/claim", wrongType).statusCode()).isEqualTo(204);
        assertThat(Calls.post("/v1/jobs/claim", wrongLabel).statusCode()).isEqualTo(204);
        assertThat(Calls.post("/v1/jobs/claim", right).expect(200).<String>path("job.id"))
                .isEqualTo(create);
    }

    @Test
    default void aWorkerThatFindsNothingIsToldSoAtOnceOrAfterItsWait() {
        assertThat(claim(unique("none"), "w").statusCode()).isEqualTo(204);
        var waiting = Map.of("worker", "w", "labels", Map.of("test", unique("none")), "wait", "50ms");
        assertThat(Calls.post("/v1/jobs/claim", waiting).statusCode()).isEqualTo(204);
    }

    @Test
    default void aWaitingWorkerGetsAJobThatIsSubmittedLater() throws IOException {
        var id = cluster();
        try (var worker = waits(id, "w-" + id)) {
            var create = submitted(id, "CREATE");

            var answer = worker.answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(Json.from(answer.body()).getString("job.id")).isEqualTo(create);
        }
        assertThat(status(id)).isEqualTo("CREATING");
    }

    @Test
    default void aWaitingWorkerGetsTheNextJobWhenTheOneBeforeItEnds() throws IOException {
        var id = cluster();
        submitted(id, "CREATE");
        var first = claimed(id, "w1-" + id);
        var destroy = submitted(id, "DESTROY");
        try (var worker = waits(id, "w2-" + id)) {
            complete(first);

            assertThat(Json.from(worker.answer().body()).getString("job.id")).isEqualTo(destroy);
        }
    }

    @Test
    default void aWorkerThatAsksAgainWhileItWaitsIsAnsweredOnce() throws IOException {
        var id = cluster();
        try (var first = waits(id, "w-" + id);
                var second = waits(id, "w-" + id)) {
            var create = submitted(id, "CREATE");

            var answers = List.of(first.answer(), second.answer());

            assertThat(answers)
                    .filteredOn(answer -> answer.status() == 200)
                    .isNotEmpty()
                    .allSatisfy(answer -> assertThat(Json.from(answer.body()).getString("job.id"))
                            .isEqualTo(create));
        }
    }

    /** A full replica answers 429, by which a test sees that workers wait or have left. */
    @Test
    default void aReplicaTakesAsManyWaitingWorkersAsItMayAndOneThatDisconnectsClaimsNothing() throws IOException {
        var id = cluster();
        var waiting = new ArrayList<RawHttp.Exchange>();
        try {
            awaitWaiting(0);
            for (var i = 1; i < SmallQueues.WAITING_MAX; i++) {
                waiting.add(waits(unique("none"), "w%d-%s".formatted(i, id)));
                awaitWaiting(i);
            }
            var gone = waits(id, "gone-" + id);
            waiting.add(gone);
            awaitWaiting(SmallQueues.WAITING_MAX);
            var refused = claim(unique("none"), "one-more-" + id);
            assertProblem(refused, 429, "queue-full");
            assertThat(refused.<Integer>path("waiting")).isEqualTo(SmallQueues.WAITING_MAX);
            assertThat(refused.<String>path("detail")).contains("holdfast.jobs.waiting-max");
            assertThat(refused.header("Retry-After")).isEqualTo("1");

            gone.hangUp();

            awaitWaiting(SmallQueues.WAITING_MAX - 1);
            assertThat(claim(unique("none"), "one-more-" + id).statusCode()).isEqualTo(204);
            var create = submitted(id, "CREATE");
            var claim = claimed(id, "w-" + id);
            assertThat(claim.<String>path("job.id")).isEqualTo(create);
            assertThat(claim.<Integer>path("job.attempt")).isOne();
        } finally {
            for (var worker : waiting) {
                worker.close();
            }
        }
    }

    /** So many wait. A claim would tell as well, but it takes a place itself until it is answered. */
    private static void awaitWaiting(int count) {
        await().until(
                        () -> Calls.get("/q/metrics").asString(),
                        metrics -> metrics.contains("jobs_waiting_workers %d.0\n".formatted(count)));
    }

    @Test
    default void aClusterWhoseLockAClientHoldsIsLeftAlone() throws IOException {
        var id = cluster();
        var held = LockCalls.acquired("CLUSTER#" + id, "operator");
        submitted(id, "CREATE");
        assertThat(claim(id, "w-" + id).statusCode()).isEqualTo(204);
        assertThat(status(id)).isEqualTo("PENDING");
        try (var worker = waits(id, "w-" + id)) {
            LockCalls.release(held);

            var claim = Json.from(worker.answer().body());

            assertThat(claim.getLong("epoch")).isGreaterThan(LockCalls.token(held));
        }
    }

    @Test
    default void aClientThatWaitsForTheLockOfAClusterGetsItWhenTheJobEnds() throws IOException {
        var id = cluster();
        submitted(id, "CREATE");
        var claim = claimed(id, "w-" + id);
        var name = "CLUSTER#" + id;
        var body = "{\"owner\":\"operator\",\"wait\":\"60s\"}";
        var request =
                "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(LockCalls.path(name), body.length(), body);
        try (var operator = RawHttp.begin(RestAssured.port, request.getBytes(StandardCharsets.US_ASCII))) {
            await().until(() -> LockCalls.get(name).<Integer>path("waiting") == 1);

            complete(claim);

            var granted = operator.answer();
            assertThat(granted.status()).isEqualTo(201);
            assertThat(Json.from(granted.body()).getLong("fencing_token")).isGreaterThan(epoch(claim));
        }
    }

    @Test
    default void aWorkerWhoseLockIsTakenAwayIsRefused() {
        var id = cluster();
        submitted(id, "CREATE");
        var claim = claimed(id, "w-" + id);

        LockCalls.forceRelease("CLUSTER#" + id, epoch(claim), "the worker hangs")
                .expect(200);

        var refused = heartbeat(claim);
        assertProblem(refused, 409, "stale-epoch");
        assertThat(refused.<String>path("detail")).contains("no longer yours");
        assertThat(refused.<String>path("job.status")).isEqualTo("RUNNING");
    }
}
