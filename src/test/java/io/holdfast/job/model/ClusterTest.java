package io.holdfast.job.model;

import static io.holdfast.job.model.ClusterStatus.CREATING;
import static io.holdfast.job.model.ClusterStatus.DESTROYED;
import static io.holdfast.job.model.ClusterStatus.FAILED;
import static io.holdfast.job.model.ClusterStatus.PENDING;
import static io.holdfast.job.model.ClusterStatus.READY;
import static io.holdfast.job.model.ClusterStatus.SCALING;
import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.aJob;
import static io.holdfast.job.port.JobFixtures.living;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterTest {
    @Test
    void withoutJobsTheStatusStays() {
        assertThat(aCluster().possibleAfterQueue()).containsExactly(PENDING);
        assertThat(aCluster().expectedAfterQueue()).isEqualTo(PENDING);
    }

    @Test
    void aQueuedJobMaySucceedOrFail() {
        var cluster = aCluster().enqueued(aJob(CREATE, NOON));

        assertThat(cluster.possibleAfterQueue()).containsExactlyInAnyOrder(READY, FAILED);
        assertThat(cluster.expectedAfterQueue()).isEqualTo(READY);
    }

    @Test
    void aJobThatTheStatusDoesNotAllowChangesNothing() {
        var cluster = aCluster().withStatus(DESTROYED).enqueued(aJob(DESTROY, NOON));

        assertThat(cluster.possibleAfterQueue()).containsExactly(DESTROYED);
        assertThat(cluster.expectedAfterQueue()).isEqualTo(DESTROYED);
    }

    @Test
    void jobsOfAQueueFollowEachOther() {
        var cluster = aCluster()
                .enqueued(aJob(CREATE, NOON))
                .enqueued(aJob(SCALE_WORKERS, NOON))
                .enqueued(aJob(DESTROY, NOON));

        // The destroy runs after a success and after a failure.
        assertThat(cluster.possibleAfterQueue()).containsExactlyInAnyOrder(DESTROYED, FAILED);
        assertThat(cluster.expectedAfterQueue()).isEqualTo(DESTROYED);
    }

    @Test
    void aStartedJobContinuesInItsOwnStatus() {
        var job = aJob(SCALE_WORKERS, NOON);
        var cluster = aCluster().withStatus(READY).enqueued(job).updated(job, SCALING);

        assertThat(cluster.admits(cluster.head().orElseThrow())).isTrue();
        assertThat(cluster.admits(QueuedJob.of(aJob(SCALE_WORKERS, NOON)))).isFalse();
    }

    @Test
    void onlyARetriedJobStartsAgainWhereItFailed() {
        var job = aJob(CREATE, NOON);
        var cluster = aCluster().enqueued(job).updated(job, CREATING).withStatus(FAILED);

        assertThat(cluster.admits(QueuedJob.of(job))).isFalse();
        assertThat(cluster.admits(QueuedJob.of(job.retried(3, NOON)))).isTrue();
        assertThat(cluster.admits(QueuedJob.of(aJob(CREATE, NOON).retried(3, NOON))))
                .isFalse();
    }

    @Test
    void aRunningJobIsNotClaimableAndNoneBehindIt() {
        var job = aJob(CREATE, NOON);
        var queued = aCluster().enqueued(job).enqueued(aJob(DESTROY, NOON));
        assertThat(queued.claimable().map(QueuedJob::id)).contains(job.id());
        assertThat(queued.running()).isEmpty();

        var place = new QueuedJob(job.id(), CREATE, JobStatus.RUNNING, NOON, false);
        var running = new Cluster(
                queued.id(),
                queued.name(),
                queued.labels(),
                CREATING,
                List.of(place, queued.queue().getLast()),
                queued.endedJobs(),
                Optional.of(job.id()),
                queued.life(),
                queued.version());

        assertThat(running.claimable()).isEmpty();
        assertThat(running.running()).contains(place);
    }

    @Test
    void theLastJobsThatEndedAreKnownTheNewestFirst() {
        var jobs = IntStream.range(0, Cluster.ENDED_MAX + 5)
                .mapToObj(i -> new JobId("job-" + i))
                .toList();
        var cluster = aCluster();
        for (var job : jobs) {
            cluster = cluster.without(job);
        }

        assertThat(cluster.endedJobs())
                .hasSize(Cluster.ENDED_MAX)
                .startsWith(jobs.getLast())
                .doesNotContain(jobs.getFirst());
    }

    @Test
    void aRetriedJobIsInTheQueueAndNoLongerAmongTheEnded() {
        var job = aJob(CREATE, NOON);
        var other = aJob(CREATE, NOON);
        var ended = aCluster().enqueued(job).without(job.id()).without(other.id());

        var retried = ended.enqueued(job.retried(3, NOON));

        assertThat(retried.queue()).extracting(QueuedJob::id).containsExactly(job.id());
        assertThat(retried.endedJobs()).containsExactly(other.id());
    }

    @Test
    void eachWriteHasAnotherVersionAndItsTime() {
        var cluster = aCluster();
        var written = cluster.writtenAt(NOON.plusSeconds(1));

        assertThat(written.version()).isEqualTo(cluster.version() + 1);
        assertThat(written.life().updatedAt()).isEqualTo(NOON.plusSeconds(1));
        assertThat(written.life().createdAt()).isEqualTo(NOON);
    }

    @Test
    void aTtlCountsFromTheCreation() {
        assertThat(living(Duration.ofHours(1)).life().expiresAt()).contains(NOON.plusSeconds(3600));
        assertThat(aCluster().life().expiresAt()).isEmpty();
    }

    @Test
    void theLockOfAClusterHasItsId() {
        assertThat(new ClusterId("a/1").lock().value()).isEqualTo("CLUSTER#a/1");
    }
}
