package io.holdfast.store.dynamodb.job;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.store.dynamodb.job.JobRig.TRANSACTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.ClusterQuery;
import io.holdfast.job.port.JobQuery;
import io.holdfast.job.port.JobStore;
import io.holdfast.suite.Slow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests of the job store to DynamoDB, counted at the wire. */
@Slow
class DynamoDbJobCostTest {
    private final JobRig rig = new JobRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aClaimIsOneQueryOneReadAndOneTransactionHoweverManyJobsThereAre() {
        var jobs = IntStream.range(0, 40).mapToObj(i -> submitted(i)).toList();
        var first = jobs.getFirst();
        rig.proxy.resetCounts();

        var section = new JobStore.Section(CREATE, JobStore.shardOf(first.cluster()));
        var due = await(rig.jobs.due(section, 10, Optional.empty(), NOON.plusSeconds(60)));
        rig.driver.claim(first, WORKER, NOON.plusSeconds(60));

        assertThat(due.items().getFirst().job()).isEqualTo(first.id());
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("Query", 1, "BatchGetItem", 1, TRANSACTION, 1));
    }

    @Test
    void aHeartbeatAndAFinishAreOneReadAndOneTransactionEach() {
        var job = rig.running(WORKER, NOON.plusSeconds(10));
        rig.proxy.resetCounts();

        rig.driver.heartbeat(job, NOON.plusSeconds(20));
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("BatchGetItem", 1, TRANSACTION, 1));
        rig.driver.finish(job, DONE, NOON.plusSeconds(30));
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("BatchGetItem", 2, TRANSACTION, 2));
    }

    @Test
    void theJobsOfManyWorkersAreOneRead() {
        rig.running(WORKER, NOON.plusSeconds(10));
        rig.proxy.resetCounts();

        await(rig.jobs.findClaims(
                IntStream.range(0, 100).mapToObj(i -> new WorkerName("w" + i)).toList()));

        assertThat(rig.proxy.counts()).isEqualTo(Map.of("BatchGetItem", 1));
    }

    @Test
    void aPageOfRunningJobsOrExpiredClustersIsOneQuery() {
        rig.running(WORKER, NOON.plusSeconds(10));
        rig.proxy.resetCounts();

        await(rig.jobs.running(0, 10, Optional.empty()));
        await(rig.jobs.expired(0, 10, Optional.empty(), NOON));

        assertThat(rig.proxy.counts()).isEqualTo(Map.of("Query", 2));
    }

    @Test
    void aPageOfJobsReadsEachPartitionOnce() {
        var job = rig.running(WORKER, NOON.plusSeconds(10));
        rig.proxy.resetCounts();

        list(Optional.of(JobStatus.RUNNING));
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("Query", 4, "BatchGetItem", 1));
        list(Optional.empty());
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("Query", 4 + 28, "BatchGetItem", 2));

        rig.proxy.resetCounts();
        await(rig.jobs.jobs(
                new JobQuery(Optional.empty(), Optional.empty(), Optional.of(job.cluster()), 10, Optional.empty())));
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("GetItem", 1, "BatchGetItem", 1));
    }

    @Test
    void aPageOfClustersIsOneQueryAndOneRead() {
        IntStream.range(0, 20).forEach(this::submitted);
        rig.proxy.resetCounts();

        var page = await(rig.jobs.clusters(new ClusterQuery(Optional.empty(), "", 20, Optional.empty())));

        assertThat(page.items()).hasSize(20);
        assertThat(rig.proxy.counts()).isEqualTo(Map.of("Query", 1, "BatchGetItem", 1));
    }

    @Test
    void aCountReadsEachPartitionOfCountedJobsAndTheFirstEntryOfEachSection() {
        rig.driver.submit(rig.ready(WORKER).id(), SCALE_WORKERS, NOON.plusSeconds(10));
        rig.proxy.resetCounts();

        await(rig.jobs.count(NOON.plusSeconds(20)));

        assertThat(rig.proxy.counts()).isEqualTo(Map.of("Query", 28));
    }

    @Test
    void readsOfNothingAskNothing() {
        rig.proxy.resetCounts();

        await(rig.jobs.findJobs(List.of()));
        await(rig.jobs.findClaims(List.of()));
        await(rig.jobs.purge(10, NOON));

        assertThat(rig.proxy.counts()).isEmpty();
    }

    private void list(Optional<JobStatus> status) {
        await(rig.jobs.jobs(new JobQuery(status, Optional.empty(), Optional.empty(), 10, Optional.empty())));
    }

    private Job submitted(int number) {
        return rig.driver.submit(rig.driver.create(aCluster(), NOON).id(), CREATE, NOON.plusSeconds(number));
    }
}
