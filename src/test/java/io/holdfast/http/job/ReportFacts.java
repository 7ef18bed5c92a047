package io.holdfast.http.job;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.job.JobCalls.claimed;
import static io.holdfast.http.job.JobCalls.cluster;
import static io.holdfast.http.job.JobCalls.complete;
import static io.holdfast.http.job.JobCalls.epoch;
import static io.holdfast.http.job.JobCalls.fail;
import static io.holdfast.http.job.JobCalls.heartbeat;
import static io.holdfast.http.job.JobCalls.job;
import static io.holdfast.http.job.JobCalls.jobStatus;
import static io.holdfast.http.job.JobCalls.ready;
import static io.holdfast.http.job.JobCalls.report;
import static io.holdfast.http.job.JobCalls.retry;
import static io.holdfast.http.job.JobCalls.status;
import static io.holdfast.http.job.JobCalls.submit;
import static io.holdfast.http.job.JobCalls.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What workers report: heartbeats, success, failure. And the retry of a dead letter. */
interface ReportFacts {
    /** An epoch that no job has. */
    long UNKNOWN_EPOCH = 1;

    @Test
    default void aHeartbeatExtendsTheLeaseAndKeepsTheProgress() {
        var claim = running();

        var beat = report(
                        claim.path("job.id"),
                        "heartbeat",
                        Map.of("epoch", epoch(claim), "progress", Map.of("percent", 40, "message", "half way")))
                .expect(200)
                .json();

        assertThat(beat.getLong("remaining_ms"))
                .isBetween(1L, Duration.ofHours(1).toMillis());
        assertThat(beat.getBoolean("cancel_requested")).isFalse();
        assertThat(Instant.parse(beat.getString("expires_at")))
                .isAfterOrEqualTo(Instant.parse(claim.path("lease.expires_at")));
        heartbeat(claim).expect(200);
        var job = job(claim.path("job.id")).json();
        assertThat(job.<String, Object>getMap("progress")).isEqualTo(Map.of("percent", 40, "message", "half way"));
        assertThat(Instant.parse(job.getString("heartbeat_at")))
                .isAfterOrEqualTo(Instant.parse(job.getString("started_at")));
    }

    @Test
    default void aLeaseDoesNotOutliveTheDeadlineOfTheRun() {
        var id = cluster();
        submit(id, Map.of("type", "CREATE", "deadline", "10m")).expect(201);
        var claim = claimed(id, "w-" + id);

        var beat = heartbeat(claim).expect(200);

        assertThat(claim.json().getLong("lease.ttl_ms"))
                .isEqualTo(Duration.ofMinutes(10).toMillis());
        assertThat(beat.<String>path("expires_at")).isEqualTo(claim.path("lease.expires_at"));
    }

    @Test
    default void aCompletedJobHasItsResultAndRepeatingTheReportChangesNothing() {
        var claim = running();
        var report = Map.of("epoch", epoch(claim), "result", Map.of("api_url", "https://api.example.com"));

        var done = report(claim.path("job.id"), "complete", report).expect(200);

        assertThat(done.<String>path("status")).isEqualTo("SUCCEEDED");
        assertThat(done.<String>path("result.api_url")).isEqualTo("https://api.example.com");
        assertThat(done.<String>path("ended_at")).isNotBlank();
        assertThat(done.<List<String>>path("runs.result")).containsExactly("COMPLETED");
        assertThat(done.<Object>path("remaining_ms")).isNull();
        assertThat(report(claim.path("job.id"), "complete", report).expect(200).asString())
                .isEqualTo(done.asString());
    }

    @Test
    default void aRetryableFailureWaitsForItsNextAttemptAndTheJobGoesOn() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        var first = claimed(id, "w1-" + id);

        var waiting = report(
                        create,
                        "fail",
                        Map.of(
                                "epoch",
                                epoch(first),
                                "error_code",
                                "Throttling",
                                "message",
                                "slow down",
                                "retryable",
                                true))
                .expect(200)
                .json();

        assertThat(waiting.getString("status")).isEqualTo("WAITING");
        assertThat(waiting.getString("next_attempt_at")).isEqualTo(waiting.getString("due_at"));
        assertThat(waiting.<String>getList("runs.next_attempt_at"))
                .containsExactly(waiting.getString("next_attempt_at"));
        assertThat(waiting.<String>getList("runs.result")).containsExactly("FAILED");
        assertThat(waiting.<String>getList("runs.error_code")).containsExactly("Throttling");
        assertThat(waiting.<String>getList("runs.message")).containsExactly("slow down");
        assertThat(status(id)).isEqualTo("CREATING");
        var second = claimed(id, "w2-" + id);
        assertThat(second.<String>path("job.id")).isEqualTo(create);
        assertThat(second.<Integer>path("job.attempt")).isEqualTo(2);
        assertThat(epoch(second)).isGreaterThan(epoch(first));
        complete(second);
        assertThat(status(id)).isEqualTo("READY");
    }

    @Test
    default void aFailureForGoodEndsTheJobAndTheClusterIsFailed() {
        var claim = running();

        var failed = fail(claim, false).expect(200);

        assertThat(failed.<String>path("status")).isEqualTo("FAILED");
        assertThat(failed.<String>path("error_code")).isEqualTo("Throttling");
        assertThat(failed.<Object>path("message")).isNull();
        assertThat(failed.<Object>path("next_attempt_at")).isNull();
        assertThat(status(claim.path("cluster.id"))).isEqualTo("FAILED");
        assertThat(fail(claim, false).expect(200).asString()).isEqualTo(failed.asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"heartbeat", "complete", "fail"})
    default void aReportOfAWorkerThatNoLongerRunsTheJobIsRefused(String action) {
        var id = cluster();
        var create = submitted(id, "CREATE");
        fail(claimed(id, "w1-" + id), true).expect(200);
        var second = claimed(id, "w2-" + id);

        var refused = report(create, action, body(action, UNKNOWN_EPOCH));

        assertProblem(refused, 409, "stale-epoch");
        assertThat(refused.json().getLong("job.epoch")).isEqualTo(epoch(second));
        assertThat(refused.<String>path("job.status")).isEqualTo("RUNNING");
        assertThat(refused.<String>path("detail")).contains("w2-" + id, Long.toString(epoch(second)));
        complete(second);
        var late = report(create, action, body(action, UNKNOWN_EPOCH));
        assertProblem(late, 409, "stale-epoch");
        assertThat(late.<String>path("detail")).contains("is SUCCEEDED");
    }

    @Test
    default void theWorkerOfAnEarlierAttemptIsRefused() {
        var id = cluster();
        submitted(id, "CREATE");
        var first = claimed(id, "w1-" + id);
        fail(first, true).expect(200);
        claimed(id, "w2-" + id);

        assertProblem(heartbeat(first), 409, "stale-epoch");
        assertProblem(complete(first.path("job.id"), epoch(first)), 409, "stale-epoch");
        assertThat(fail(first, true).expect(200).<String>path("status")).isEqualTo("RUNNING");
    }

    @Test
    default void aJobIsDeadAfterItsLastAttemptAndAnOperatorRetriesIt() {
        var id = cluster();
        var create = dead(id, "CREATE");
        var dead = job(create).json();
        assertThat(dead.getString("status")).isEqualTo("DEAD");
        assertThat(dead.getInt("attempt")).isEqualTo(2);
        assertThat(status(id)).isEqualTo("FAILED");

        var retried = retry(create).expect(200).json();

        assertThat(retried.getString("status")).isEqualTo("QUEUED");
        assertThat(retried.getInt("attempts_max")).isEqualTo(4);
        complete(claimed(id, "w-" + id));
        assertThat(jobStatus(create)).isEqualTo("SUCCEEDED");
        assertThat(job(create).json().getList("runs")).hasSize(3);
        assertThat(status(id)).isEqualTo("READY");
    }

    @Test
    default void aJobThatIsNotDeadIsNotRetried() {
        var claim = running();

        var refused = retry(claim.path("job.id"));

        assertProblem(refused, 409, "illegal-transition");
        assertThat(refused.<String>path("from")).isEqualTo("RUNNING");
        assertThat(refused.<String>path("to")).isEqualTo("QUEUED");
        assertThat(refused.<String>path("allowed")).isEqualTo("CANCELLED");
        assertThat(refused.<String>path("job.id")).isEqualTo(claim.path("job.id"));
    }

    @Test
    default void aDeadJobOfADestroyedClusterIsNotRetried() {
        var id = cluster();
        var create = dead(id, "CREATE");
        submitted(id, "DESTROY");
        complete(claimed(id, "w-" + id));

        var refused = retry(create);

        assertProblem(refused, 409, "illegal-transition");
        assertThat(refused.<String>path("from")).isEqualTo("DESTROYED");
        assertThat(refused.<String>path("to")).isEqualTo("CREATING");
        assertThat(refused.<String>path("allowed")).isEqualTo("none");
        assertThat(jobStatus(create)).isEqualTo("DEAD");
    }

    @Test
    default void aDeadJobIsNotRetriedWhileTheQueueIsFull() {
        var id = ready();
        var destroy = dead(id, "DESTROY");
        for (var i = 0; i < SmallQueues.QUEUE_MAX; i++) {
            submitted(id, "DESTROY");
        }

        assertProblem(retry(destroy), 429, "queue-full");

        assertThat(jobStatus(destroy)).isEqualTo("DEAD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"heartbeat", "complete", "fail", "cancel", "retry"})
    default void aJobThatIsNotThereIsNotFound(String action) {
        assertProblem(report("1763251200000-none", action, body(action, UNKNOWN_EPOCH)), 404, "not-found");
        assertProblem(job("1763251200000-none"), 404, "not-found");
    }

    private static Map<String, Object> body(String action, long epoch) {
        return switch (action) {
            case "fail" -> Map.of("epoch", epoch, "error_code", "Throttling", "retryable", true);
            case "cancel", "retry" -> Map.of("reason", "why not");
            default -> Map.of("epoch", epoch);
        };
    }

    /** A claim of the CREATE of a new cluster. */
    static Answer running() {
        var id = cluster();
        submitted(id, "CREATE");
        return claimed(id, "w-" + id);
    }

    /** Submits a job, lets all its attempts fail, and returns its id. */
    private static String dead(String cluster, String type) {
        var job = submitted(cluster, type);
        fail(claimed(cluster, "w-" + cluster), true).expect(200);
        fail(claimed(cluster, "w-" + cluster), true).expect(200);
        return job;
    }
}
