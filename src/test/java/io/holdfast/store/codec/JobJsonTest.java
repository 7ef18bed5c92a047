package io.holdfast.store.codec;

import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.aJob;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Progress;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.DueWork;
import io.holdfast.lock.model.LockId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobJsonTest {
    private static final ClusterLabels LABELS =
            new ClusterLabels(Map.of("region", "eu", "note", "für \"später\"", "x", ""));

    @Test
    void everyFieldOfAClusterSurvives() {
        var running = new QueuedJob(new JobId("1"), JobType.SCALE_WORKERS, JobStatus.RUNNING, NOON.plusMillis(1), true);
        var queued = new QueuedJob(new JobId("2"), JobType.DESTROY, JobStatus.QUEUED, NOON.plusMillis(2), false);
        var cluster = new Cluster(
                new ClusterId("team/a#1"),
                new ClusterName("name", "platform", "example.com"),
                LABELS,
                ClusterStatus.SCALING,
                List.of(running, queued),
                List.of(new JobId("b"), new JobId("a")),
                Optional.of(new JobId("1")),
                new Cluster.Life(
                        NOON.plusMillis(3), NOON.plusMillis(4), Optional.of(Duration.ofMillis(86_400_001)), true),
                1L << 40);

        assertThat(JobJson.readCluster(JobJson.write(cluster))).isEqualTo(cluster);
    }

    @Test
    void aNewClusterSurvives() {
        var cluster = aCluster();

        assertThat(JobJson.readCluster(JobJson.write(cluster))).isEqualTo(cluster);
    }

    @Test
    void everyFieldOfAJobSurvives() {
        var error = new JobError("QUOTA", Optional.of("„exceeded“"));
        var failed = new Run(
                3,
                1L << 50,
                new WorkerName("worker 1"),
                LockId.random(),
                NOON.plusMillis(1),
                NOON.plusMillis(2),
                NOON.plusMillis(3),
                NOON.plusMillis(4),
                Optional.of(new Progress(Optional.of(40), Optional.of("half way"))),
                Optional.of(new Run.End(
                        NOON.plusMillis(5),
                        Run.Result.TIMED_OUT,
                        Optional.of(error),
                        Optional.of(NOON.plusMillis(6)))));
        var last = new Run(
                4,
                (1L << 50) + 1,
                new WorkerName("worker 2"),
                LockId.random(),
                NOON.plusMillis(7),
                NOON.plusMillis(8),
                NOON.plusMillis(9),
                NOON.plusMillis(10),
                Optional.of(new Progress(Optional.empty(), Optional.empty())),
                Optional.of(new Run.End(
                        NOON.plusMillis(11),
                        Run.Result.COMPLETED,
                        Optional.of(new JobError("CODE", Optional.empty())),
                        Optional.empty())));
        var job = new Job(
                new JobId("4076-a"),
                new ClusterId("cluster"),
                JobType.CREATE,
                new Job.Order(
                        "{\"nodes\": 3, \"text\":\"ä\\n\"}",
                        Optional.of("key \"1\""),
                        Duration.ofMillis(7_200_001),
                        NOON),
                JobStatus.SUCCEEDED,
                NOON.plusMillis(12),
                new Job.Attempts(4, 6, 1),
                List.of(failed, last),
                Optional.of(new Job.Cancellation(NOON.plusMillis(13), "no longer wanted")),
                Optional.of(new Job.End(NOON.plusMillis(14), Optional.of(error), Optional.of("{\"a\":[1]}"))),
                77);

        assertThat(JobJson.readJob(JobJson.write(job))).isEqualTo(job);
    }

    @Test
    void aRunWithoutProgressAndEndSurvives() {
        var run = new Run(
                1, 1, new WorkerName("w"), LockId.random(), NOON, NOON, NOON, NOON, Optional.empty(), Optional.empty());
        var job = aJob(JobType.DESTROY, NOON).started(run);

        assertThat(JobJson.readJob(JobJson.write(job))).isEqualTo(job);
    }

    @ParameterizedTest
    @EnumSource
    void aNewJobOfEveryTypeSurvives(JobType type) {
        var job = aJob(type, NOON);

        assertThat(JobJson.readJob(JobJson.write(job))).isEqualTo(job);
    }

    @Test
    void dueWorkSurvives() {
        var work = new DueWork(new ClusterId("c"), new JobId("j"), JobType.CREATE, NOON.plusMillis(1), LABELS);

        assertThat(JobJson.readDueWork(JobJson.write(work))).isEqualTo(work);
    }

    @Test
    void aDamagedRecordIsReported() {
        assertThatThrownBy(() -> JobJson.readJob("{\"id\":"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("damaged");
    }
}
