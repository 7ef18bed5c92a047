package io.holdfast.http.job;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.job.JobCalls.claim;
import static io.holdfast.http.job.JobCalls.claimed;
import static io.holdfast.http.job.JobCalls.cluster;
import static io.holdfast.http.job.JobCalls.complete;
import static io.holdfast.http.job.JobCalls.get;
import static io.holdfast.http.job.JobCalls.job;
import static io.holdfast.http.job.JobCalls.jobStatus;
import static io.holdfast.http.job.JobCalls.path;
import static io.holdfast.http.job.JobCalls.ready;
import static io.holdfast.http.job.JobCalls.status;
import static io.holdfast.http.job.JobCalls.submit;
import static io.holdfast.http.job.JobCalls.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Answer;
import io.holdfast.http.Calls;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Submitting jobs: what a cluster accepts, in which order jobs run, and what they lead to. */
interface SubmitFacts {
    @Test
    default void aClusterLivesFromItsCreateToItsDestroy() {
        var id = cluster();
        submitted(id, "CREATE");
        var create = claimed(id, "w-" + id);
        assertThat(status(id)).isEqualTo("CREATING");
        complete(create);
        assertThat(status(id)).isEqualTo("READY");

        submitted(id, "SCALE_WORKERS");
        var scale = claimed(id, "w-" + id);
        assertThat(status(id)).isEqualTo("SCALING");
        complete(scale);
        assertThat(status(id)).isEqualTo("READY");

        submitted(id, "DESTROY");
        var destroy = claimed(id, "w-" + id);
        assertThat(status(id)).isEqualTo("DESTROYING");
        complete(destroy);
        assertThat(status(id)).isEqualTo("DESTROYED");

        assertThat(JobCalls.epoch(create)).isLessThan(JobCalls.epoch(scale));
        assertThat(JobCalls.epoch(scale)).isLessThan(JobCalls.epoch(destroy));
    }

    @Test
    default void aSubmittedJobHasWhatWasSent() {
        var id = cluster();

        var submitted = submit(
                        id,
                        Map.of(
                                "type", "CREATE",
                                "params", Map.of("workers", 3),
                                "idempotency_key", "create-1",
                                "deadline", "90m"))
                .expect(201)
                .json();

        assertThat(submitted.getString("cluster")).isEqualTo(id);
        assertThat(submitted.getString("type")).isEqualTo("CREATE");
        assertThat(submitted.getString("status")).isEqualTo("QUEUED");
        assertThat(submitted.<String, Object>getMap("params")).containsExactly(Map.entry("workers", 3));
        assertThat(submitted.getString("idempotency_key")).isEqualTo("create-1");
        assertThat(submitted.getLong("deadline_ms"))
                .isEqualTo(Duration.ofMinutes(90).toMillis());
        assertThat(submitted.getString("due_at")).isEqualTo(submitted.getString("created_at"));
        assertThat(submitted.getInt("attempt")).isZero();
        assertThat(submitted.getInt("attempts_max")).isEqualTo(2);
        assertThat(submitted.getBoolean("cancel_requested")).isFalse();
        assertThat(submitted.getList("runs")).isEmpty();
        assertThat(job(submitted.getString("id")).asString()).isEqualTo(submitted.toString());
    }

    /** Also numbers that a double cannot hold. */
    @Test
    default void paramsAreGivenToTheWorkerAsTheyWereSent() {
        var id = cluster();
        var params = "{\"z\":[1,{\"a\":null}],\"a\":\"\\u00e9\\\"\",\"big\":123456789012345678901234567890,"
                + "\"exact\":0.10000000000000000000000001,\"zeros\":1.00}";
        Calls.post(path(id) + "/jobs", "{\"type\":\"CREATE\",\"params\":" + params + "}")
                .expect(201);

        var claim = claimed(id, "w-" + id);

        assertThat(claim.asString()).contains("\"params\":" + params.replace("\\u00e9", "é"));
    }

    @Test
    default void aJobWithoutParamsHasAnEmptyObject() {
        var id = cluster();

        var submitted = submit(id, "CREATE").expect(201);

        assertThat(submitted.json().getMap("params")).isEmpty();
        assertThat(submitted.json().getLong("deadline_ms"))
                .isEqualTo(Duration.ofHours(3).toMillis());
    }

    @Test
    default void aRepeatedSubmissionWithTheSameKeyGetsTheSameJob() {
        var id = cluster();
        var wanted = Map.of("type", "CREATE", "params", Map.of("workers", 3), "idempotency_key", "k");
        var first = submit(id, wanted).expect(201);

        var second = submit(id, wanted).expect(200);

        assertThat(second.asString()).isEqualTo(first.asString());
        assertThat(get(id).json().getList("queue")).hasSize(1);
        complete(claimed(id, "w-" + id));
        assertThat(submit(id, wanted).expect(200).<String>path("status")).isEqualTo("SUCCEEDED");
    }

    @ParameterizedTest
    @CsvSource({"DESTROY, 3, 1h", "CREATE, 4, 1h", "CREATE, 3, 2h"})
    default void aKeyWithOtherContentIsRefused(String type, int workers, String deadline) {
        var id = cluster();
        var first = submit(id, keyed("CREATE", 3, "1h")).expect(201);

        var refused = submit(id, keyed(type, workers, deadline));

        assertProblem(refused, 409, "key-reused");
        assertThat(refused.<String>path("job.id")).isEqualTo(first.path("id"));
        assertThat(get(id).json().getList("queue")).hasSize(1);
    }

    @Test
    default void aKeyBelongsToOneCluster() {
        var one = cluster();
        var other = cluster();

        var first = submit(one, keyed("CREATE", 3, "1h")).expect(201);
        var second = submit(other, keyed("CREATE", 3, "1h")).expect(201);

        assertThat(second.<String>path("id")).isNotEqualTo(first.path("id"));
    }

    @ParameterizedTest
    @CsvSource({
        "SCALE_WORKERS, PENDING, SCALING, CREATING",
        "DESTROY, PENDING, DESTROYING, CREATING",
    })
    default void aJobThatAPendingClusterCannotRunIsRefused(String type, String from, String to, String allowed) {
        var id = cluster();

        assertIllegal(submit(id, type), from, to, allowed);

        assertThat(get(id).json().getList("queue")).isEmpty();
    }

    @Test
    default void aSecondCreateIsRefusedWhenTheClusterIsReady() {
        assertIllegal(submit(ready(), "CREATE"), "READY", "CREATING", "SCALING, DESTROYING");
    }

    @Test
    default void aDestroyedClusterRunsNothing() {
        var id = ready();
        submitted(id, "DESTROY");
        complete(claimed(id, "w-" + id));

        assertIllegal(submit(id, "DESTROY"), "DESTROYED", "DESTROYING", "none");
        assertIllegal(submit(id, "CREATE"), "DESTROYED", "CREATING", "none");
    }

    @Test
    default void jobsOfOneClusterRunOneAfterTheOther() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        var scale = submitted(id, "SCALE_WORKERS");
        var first = claimed(id, "w1-" + id);
        assertThat(first.<String>path("job.id")).isEqualTo(create);

        assertThat(claim(id, "w2-" + id).statusCode()).isEqualTo(204);

        complete(first);
        assertThat(claimed(id, "w2-" + id).<String>path("job.id")).isEqualTo(scale);
    }

    @Test
    default void ofThreeDestroysOneRunsAndTwoEndWithoutARun() {
        var id = ready();
        var first = submitted(id, "DESTROY");
        var second = submitted(id, "DESTROY");
        var third = submitted(id, "DESTROY");

        complete(claimed(id, "w-" + id));

        assertThat(jobStatus(first)).isEqualTo("SUCCEEDED");
        for (var other : new String[] {second, third}) {
            var ended = job(other).json();
            assertThat(ended.getString("status")).isEqualTo("FAILED");
            assertThat(ended.getString("error_code")).isEqualTo("ILLEGAL_STATE");
            assertThat(ended.getString("message")).contains("DESTROYED");
            assertThat(ended.getInt("attempt")).isZero();
        }
        assertThat(claim(id, "w-" + id).statusCode()).isEqualTo(204);
        assertThat(get(id).json().getList("queue")).isEmpty();
    }

    @Test
    default void aDestroyEndsQueuedScaleJobs() {
        var id = cluster();
        submitted(id, "CREATE");
        var scale = submitted(id, "SCALE_WORKERS");

        submitted(id, "DESTROY");

        assertThat(job(scale).<String>path("status")).isEqualTo("CANCELLED");
        assertThat(job(scale).<String>path("error_code")).isEqualTo("SUPERSEDED");
        assertThat(get(id).json().<String>getList("queue.type")).containsExactly("CREATE", "DESTROY");
    }

    @Test
    default void aQueueTakesAsManyJobsAsItMayAndNoMore() {
        var id = ready();
        for (var i = 0; i < SmallQueues.QUEUE_MAX; i++) {
            submitted(id, "SCALE_WORKERS");
        }

        var refused = submit(id, "SCALE_WORKERS");

        assertProblem(refused, 429, "queue-full");
        assertThat(refused.<Integer>path("waiting")).isEqualTo(SmallQueues.QUEUE_MAX);
        assertThat(refused.<String>path("detail")).contains("holdfast.jobs.queue-max");
        assertThat(refused.header("Retry-After")).isEqualTo("60");
        assertThat(get(id).json().getList("queue")).hasSize(SmallQueues.QUEUE_MAX);
    }

    private static Map<String, Object> keyed(String type, int workers, String deadline) {
        return Map.of("type", type, "params", Map.of("workers", workers), "deadline", deadline, "idempotency_key", "k");
    }

    private static void assertIllegal(Answer refused, String from, String to, String allowed) {
        assertProblem(refused, 409, "illegal-transition");
        assertThat(refused.<String>path("from")).isEqualTo(from);
        assertThat(refused.<String>path("to")).isEqualTo(to);
        assertThat(refused.<String>path("allowed")).isEqualTo(allowed);
    }
}
