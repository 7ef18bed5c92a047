package io.holdfast.http.job;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.job.JobCalls.cancel;
import static io.holdfast.http.job.JobCalls.claim;
import static io.holdfast.http.job.JobCalls.claimed;
import static io.holdfast.http.job.JobCalls.cluster;
import static io.holdfast.http.job.JobCalls.complete;
import static io.holdfast.http.job.JobCalls.fail;
import static io.holdfast.http.job.JobCalls.get;
import static io.holdfast.http.job.JobCalls.heartbeat;
import static io.holdfast.http.job.JobCalls.jobStatus;
import static io.holdfast.http.job.JobCalls.status;
import static io.holdfast.http.job.JobCalls.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Cancelling jobs. */
interface CancelFacts {
    @Test
    default void aQueuedJobIsCancelledAtOnce() {
        var id = cluster();
        var create = submitted(id, "CREATE");

        var cancelled = cancel(create).expect(200);

        assertThat(cancelled.<String>path("status")).isEqualTo("CANCELLED");
        assertThat(cancelled.<Boolean>path("cancel_requested")).isTrue();
        assertThat(cancelled.<String>path("cancel_reason")).isEqualTo("no longer wanted");
        assertThat(cancelled.<String>path("error_code")).isEqualTo("CANCELLED");
        assertThat(claim(id, "w-" + id).statusCode()).isEqualTo(204);
        assertThat(get(id).json().getList("queue")).isEmpty();
        assertThat(status(id)).isEqualTo("PENDING");
    }

    @Test
    default void theWorkerOfARunningJobIsToldWithItsNextHeartbeat() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        var claim = claimed(id, "w-" + id);

        var asked = cancel(create).expect(200);

        assertThat(asked.<String>path("status")).isEqualTo("RUNNING");
        assertThat(asked.<Boolean>path("cancel_requested")).isTrue();
        assertThat(cancel(create).expect(200).<String>path("status")).isEqualTo("RUNNING");
        assertThat(heartbeat(claim).expect(200).<Boolean>path("cancel_requested"))
                .isTrue();
        assertThat(fail(claim, true).expect(200).<String>path("status")).isEqualTo("CANCELLED");
        assertThat(status(id)).isEqualTo("FAILED");
    }

    @Test
    default void aWorkerMayStillCompleteAJobThatIsToBeCancelled() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        var claim = claimed(id, "w-" + id);
        cancel(create).expect(200);

        complete(claim);

        assertThat(jobStatus(create)).isEqualTo("SUCCEEDED");
        assertThat(status(id)).isEqualTo("READY");
    }

    @Test
    default void aJobThatWaitsForItsNextAttemptIsCancelledAtOnceAndItsClusterIsFailed() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        fail(claimed(id, "w-" + id), true).expect(200);

        assertThat(cancel(create).expect(200).<String>path("status")).isEqualTo("CANCELLED");

        assertThat(status(id)).isEqualTo("FAILED");
        assertThat(claim(id, "w-" + id).statusCode()).isEqualTo(204);
    }

    @Test
    default void aJobThatHasEndedIsNotCancelled() {
        var id = cluster();
        var create = submitted(id, "CREATE");
        complete(claimed(id, "w-" + id));

        var refused = cancel(create);

        assertProblem(refused, 409, "illegal-transition");
        assertThat(refused.<String>path("from")).isEqualTo("SUCCEEDED");
        assertThat(refused.<String>path("to")).isEqualTo("CANCELLED");
        assertThat(refused.<String>path("allowed")).isEqualTo("none");
        assertThat(refused.<String>path("job.id")).isEqualTo(create);
        assertThat(refused.<Boolean>path("job.cancel_requested")).isFalse();
    }
}
