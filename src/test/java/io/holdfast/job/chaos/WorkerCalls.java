package io.holdfast.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.boot.ProgramCalls;
import io.holdfast.boot.ProgramCalls.Answer;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** What submitters and workers of one cluster ask the running program. */
final class WorkerCalls implements AutoCloseable {
    private final ProgramCalls calls;

    WorkerCalls(URI address) {
        this.calls = new ProgramCalls(address);
    }

    /** What a worker was told. */
    record Claim(String job, String cluster, String type, long epoch, int attempt, Instant expiresAt) {}

    /** Creates a cluster, whose id is also its name and its label. */
    String cluster() {
        var id = "c-" + UUID.randomUUID();
        assertThat(create(id, id).status()).isEqualTo(201);
        return id;
    }

    Answer create(String id, String name) {
        return calls.post(
                "/v1/clusters",
                Map.of(
                        "id",
                        id,
                        "name",
                        name,
                        "platform",
                        "aws",
                        "base_domain",
                        "example.com",
                        "labels",
                        Map.of("of", id)));
    }

    /** A cluster that was created by a worker. */
    String readyCluster() {
        var cluster = cluster();
        submit(cluster, "CREATE");
        assertThat(complete(claim(cluster, "maker-" + cluster)).status()).isEqualTo(200);
        return cluster;
    }

    String submit(String cluster, String type) {
        var answer = trySubmit(cluster, type);
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
        return answer.text("id");
    }

    Answer trySubmit(String cluster, String type) {
        return calls.post("/v1/clusters/" + cluster + "/jobs", Map.of("type", type));
    }

    Answer submitWithKey(String cluster, String type, String key) {
        return calls.post("/v1/clusters/" + cluster + "/jobs", Map.of("type", type, "idempotency_key", key));
    }

    Answer ask(String cluster, String worker, String wait) {
        return calls.post("/v1/jobs/claim", Map.of("worker", worker, "labels", Map.of("of", cluster), "wait", wait));
    }

    /** Waits until there is a job for the worker. */
    Claim claim(String cluster, String worker) {
        var answer = ask(cluster, worker, "60s");
        while (answer.status() == 204) {
            answer = ask(cluster, worker, "60s");
        }
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
        return claim(answer);
    }

    static Claim claim(Answer answer) {
        var job = answer.body().path("job");
        return new Claim(
                job.path("id").asText(),
                job.path("cluster").asText(),
                job.path("type").asText(),
                answer.body().path("epoch").asLong(),
                job.path("attempt").asInt(),
                Instant.parse(answer.body().at("/lease/expires_at").asText()));
    }

    Answer heartbeat(Claim claim) {
        return calls.post("/v1/jobs/" + claim.job() + "/heartbeat", Map.of("epoch", claim.epoch()));
    }

    Answer complete(Claim claim) {
        return calls.post("/v1/jobs/" + claim.job() + "/complete", Map.of("epoch", claim.epoch()));
    }

    Answer fail(Claim claim, boolean retryable) {
        return calls.post(
                "/v1/jobs/" + claim.job() + "/fail",
                Map.of("epoch", claim.epoch(), "error_code", "BROKEN", "retryable", retryable));
    }

    Answer cancel(String job) {
        return calls.post("/v1/jobs/" + job + "/cancel", Map.of("reason", "no longer wanted"));
    }

    Answer retry(String job) {
        return calls.post("/v1/jobs/" + job + "/retry", Map.of("reason", "the quota was raised"));
    }

    Answer job(String id) {
        return calls.get("/v1/jobs/" + id);
    }

    String jobStatus(String id) {
        return job(id).text("status");
    }

    String clusterStatus(String id) {
        return calls.get("/v1/clusters/" + id).text("status");
    }

    boolean isReady() {
        return calls.get("/q/health/ready").status() == 200;
    }

    static void assertStale(Answer answer) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(409);
        assertThat(answer.text("code")).isEqualTo("stale-epoch");
    }

    @Override
    public void close() {
        calls.close();
    }
}
