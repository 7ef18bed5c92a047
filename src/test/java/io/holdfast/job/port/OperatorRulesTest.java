package io.holdfast.job.port;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.OVERDUE;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.QUEUE_MAX;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.TERMS;
import static io.holdfast.job.port.JobFixtures.TRANSIENT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.QueuedJob;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operator's cancel of a job, and the retry of a dead one. */
class OperatorRulesTest {
    private final JobWorld world = new JobWorld(RULES, aCluster(), NOON);

    // An operator's cancel.

    @Test
    void aQueuedJobIsCancelledAtOnce() {
        var create = world.submit(CREATE);
        var scale = world.submit(SCALE_WORKERS);

        assertThat(world.cancel(scale)).isEqualTo(new CancelOutcome.Cancelled(world.job(scale)));

        assertThat(world.job(scale).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(error(scale)).isEqualTo(JobError.CANCELLED);
        assertThat(world.cluster.queue()).extracting(QueuedJob::id).containsExactly(create.id());
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.PENDING);
    }

    @Test
    void aJobBehindARunningOneIsCancelledAndTheOtherRunsOn() {
        var running = world.claim(world.submit(CREATE), WORKER);
        var scale = world.submit(SCALE_WORKERS);

        assertThat(world.cancel(scale)).isEqualTo(new CancelOutcome.Cancelled(world.job(scale)));

        assertThat(world.job(running)).isEqualTo(running);
        assertThat(world.cluster.queue()).containsExactly(QueuedJob.of(running));
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.CREATING);
    }

    @Test
    void jobsThatACancelMakesImpossibleEnd() {
        var create = world.submit(CREATE);
        var destroy = world.submit(DESTROY);

        world.cancel(create);

        assertThat(world.job(destroy).status()).isEqualTo(JobStatus.FAILED);
        assertThat(error(destroy)).isEqualTo(JobError.ILLEGAL_STATE);
        assertThat(world.cluster.queue()).isEmpty();
    }

    @Test
    void aJobThatWaitsForItsNextAttemptIsCancelledAndTheClusterHasFailed() {
        var waiting = world.run(CREATE, TRANSIENT);

        assertThat(world.cancel(waiting)).isInstanceOf(CancelOutcome.Cancelled.class);

        assertThat(world.job(waiting).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
    }

    @Test
    void aRunningJobIsAskedToEnd() {
        var claimed = world.claim(world.submit(CREATE), WORKER);

        assertThat(world.cancel(claimed)).isEqualTo(new CancelOutcome.Requested(world.job(claimed)));
        var asked = world.job(claimed);
        assertThat(asked.status()).isEqualTo(JobStatus.RUNNING);
        assertThat(asked.cancellation()).contains(new Job.Cancellation(world.now, "no longer wanted"));
        assertThat(world.cancel(claimed)).isEqualTo(new CancelOutcome.Requested(asked));
        assertThat(world.job(claimed)).isEqualTo(asked);
        assertThat(world.heartbeat(claimed))
                .isInstanceOfSatisfying(
                        HeartbeatOutcome.Extended.class,
                        extended -> assertThat(extended.job().cancellation()).isPresent());
    }

    @ParameterizedTest
    @EnumSource
    void aRunningJobThatWasAskedToEndIsNotRetried(End end) {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.cancel(claimed);

        switch (end) {
            case RETRYABLE -> world.finish(claimed, TRANSIENT);
            case FOR_GOOD -> world.finish(claimed, PERMANENT);
            case TIMEOUT -> {
                world.wait(OVERDUE);
                world.rescue(world.job(claimed));
            }
        }

        assertThat(world.job(claimed).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
    }

    private enum End {
        RETRYABLE,
        FOR_GOOD,
        TIMEOUT
    }

    @Test
    void aRunningJobThatWasAskedToEndMayStillSucceed() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.cancel(claimed);

        assertThat(world.finish(claimed, DONE).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED", "CANCELLED", "DEAD"})
    void aJobThatHasEndedIsNotCancelled(JobStatus status) {
        var job = ended(status);

        assertThat(world.cancel(job)).isEqualTo(new CancelOutcome.Ended(job));
        assertThat(world.job(job)).isEqualTo(job);
    }

    // An operator's retry.

    @Test
    void aDeadJobIsRetriedWhereItFailed() {
        var dead = ended(JobStatus.DEAD);

        var outcome = world.retry(dead);

        var retried = world.job(dead);
        assertThat(outcome).isEqualTo(new RetryOutcome.Retried(retried));
        assertThat(retried.status()).isEqualTo(JobStatus.QUEUED);
        assertThat(retried.attempts()).isEqualTo(new Job.Attempts(3, 6, 1));
        assertThat(retried.dueAt()).isEqualTo(world.now);
        assertThat(retried.end()).isEmpty();
        assertThat(world.cluster.queue()).containsExactly(QueuedJob.of(retried));
        assertThat(world.cluster.endedJobs()).doesNotContain(retried.id());

        var claimed = world.claim(retried, WORKER);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.CREATING);
        assertThat(claimed.lastRun().orElseThrow().attempt()).isEqualTo(4);
        // The pauses begin anew.
        assertThat(world.finish(claimed, TRANSIENT).dueAt()).isEqualTo(world.now.plus(Duration.ofMinutes(5)));
        world.wait(Duration.ofMinutes(5));
        assertThat(world.finish(world.claim(retried, WORKER), DONE).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.READY);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED", "CANCELLED"})
    void onlyADeadJobIsRetried(JobStatus status) {
        var job = ended(status);

        assertThat(world.retry(job)).isEqualTo(new RetryOutcome.NotDead(job));
    }

    @Test
    void aJobThatRunsIsNotRetried() {
        var claimed = world.claim(world.submit(CREATE), WORKER);

        assertThat(world.retry(claimed)).isEqualTo(new RetryOutcome.NotDead(claimed));
    }

    @Test
    void aDeadCreateOfADestroyedClusterIsNotRetried() {
        var dead = ended(JobStatus.DEAD);
        world.run(DESTROY, DONE);

        assertThat(world.retry(dead))
                .isEqualTo(new RetryOutcome.Illegal(
                        ClusterStatus.DESTROYED, ClusterStatus.CREATING, ClusterStatus.DESTROYED.allowed()));
    }

    @Test
    void aDeadDestroyIsNotRetriedIfTheQueueIsFull() {
        var dead = world.in(ClusterStatus.READY).submit(DESTROY);
        for (var attempt = 0; attempt < 3; attempt++) {
            world.now = world.job(dead).dueAt();
            dead = world.finish(world.claim(world.job(dead), WORKER), TRANSIENT);
        }
        IntStream.range(0, QUEUE_MAX).forEach(i -> world.submit(DESTROY));

        assertThat(world.retry(dead)).isEqualTo(new RetryOutcome.QueueFull(QUEUE_MAX));
    }

    @Test
    void aDeadCreateIsNotRetriedBehindADestroy() {
        var dead = ended(JobStatus.DEAD);
        world.submit(DESTROY);

        assertThat(world.retry(dead)).isInstanceOf(RetryOutcome.Illegal.class);
    }

    @Test
    void aDeadDestroyIsRetried() {
        world.in(ClusterStatus.READY);
        var dead = dead(DESTROY);

        world.retry(dead);

        assertThat(world.finish(world.claim(dead, WORKER), DONE).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aRetriedJobThatIsCancelledLeavesTheClusterFailed() {
        var dead = ended(JobStatus.DEAD);
        world.retry(dead);

        world.cancel(dead);

        assertThat(world.job(dead).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
    }

    /** A create that has ended so. */
    private Job ended(JobStatus status) {
        return switch (status) {
            case SUCCEEDED -> world.run(CREATE, DONE);
            case FAILED -> world.run(CREATE, PERMANENT);
            case CANCELLED -> {
                var job = world.submit(CREATE);
                world.cancel(job);
                yield world.job(job);
            }
            case DEAD -> dead(CREATE);
            case QUEUED, RUNNING, WAITING -> throw new IllegalArgumentException(status.name());
        };
    }

    private Job dead(JobType type) {
        var job = world.submit(type);
        for (var i = 0; i < TERMS.attemptsMax(); i++) {
            world.finish(world.claim(job, WORKER), TRANSIENT);
            world.wait(Duration.ofMinutes(30));
        }
        return world.job(job);
    }

    private String error(Job job) {
        return world.job(job).end().flatMap(Job.End::error).orElseThrow().code();
    }
}
