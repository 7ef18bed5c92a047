package io.holdfast.store.dynamodb.job;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.TERMS;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.complete;
import static io.holdfast.job.port.JobFixtures.keyed;
import static io.holdfast.job.port.JobFixtures.living;
import static io.holdfast.job.port.JobFixtures.wanted;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.store.dynamodb.job.JobRig.TRANSACTION;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.ClaimOutcome;
import io.holdfast.job.port.JobRules;
import io.holdfast.job.port.JobTerms;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.dynamodb.lock.LockInTransaction;
import io.holdfast.suite.Slow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The items of a commit, and that the largest commits fit into a transaction. */
@Slow
class JobWritesTest {
    /** The highest value of {@link JobTerms#QUEUE_MAX}. */
    private static final int QUEUE_MAX = 30;

    private static final int LARGEST = 96;

    private static final JobRules RULES = new JobRules(
            new JobTerms(
                    TERMS.lease(),
                    TERMS.rescueAfter(),
                    TERMS.attemptsMax(),
                    TERMS.retryDelay(),
                    TERMS.retryDelayMax(),
                    QUEUE_MAX,
                    TERMS.deadlines()),
            Fixtures.RULES);

    private final JobRig rig = new JobRig();
    private final JobWrites writes = new JobWrites(rig.table, new LockInTransaction(rig.table, Fixtures.RULES));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aClaimIsOneTransactionOfTheClusterTheJobTheirEntriesTheLockAndTheWorker() {
        var cluster = rig.driver.create(living(Duration.ofHours(9)), NOON);
        var job = rig.driver.submit(cluster.id(), CREATE, NOON);
        var claim = rig.driver.decideClaim(job, WORKER, NOON);
        assertThat(claim.outcome()).isInstanceOf(ClaimOutcome.Claimed.class);

        var partitions = items(claim.changes().orElseThrow(), NOON)
                .map(JobWritesTest::partition)
                .map(key -> key.replace(cluster.id().value(), "<cluster>")
                        .replace(job.id().value(), "<job>"))
                .map(key -> key.replaceAll("#[0-3]$", "#<shard>"));

        assertThat(partitions)
                .containsExactlyInAnyOrder(
                        "CLUSTER#<cluster>",
                        "JOB#<job>",
                        "JOBS#QUEUED#<shard>",
                        "JOBS#RUNNING#<shard>",
                        "DUE#CREATE#<shard>",
                        "LOCK#CLUSTER#<cluster>",
                        "WORKER#worker-1");
    }

    @Test
    void aDestroyThatSupersedesAFullQueueIsOneTransaction() {
        var cluster = rig.ready(WORKER);
        var scales = fill(cluster, SCALE_WORKERS, QUEUE_MAX);
        var now = NOON.plusSeconds(100);
        var submit = RULES.submissions()
                .submit(rig.driver.cluster(cluster.id()), keyed(DESTROY, "key"), Optional.empty(), now);
        assertThat(submit.outcome()).isInstanceOf(SubmitOutcome.Submitted.class);
        var changes = complete(submit, rig.driver::job, now).orElseThrow();
        rig.proxy.resetCounts();

        assertThat(rig.driver.commit(changes, now)).isTrue();

        assertThat(rig.proxy.count(TRANSACTION)).isEqualTo(1);
        assertThat(items(changes, now)).hasSize(LARGEST);
        assertThat(await(rig.jobs.findJobs(scales)))
                .hasSize(QUEUE_MAX)
                .extracting(Job::status)
                .containsOnly(JobStatus.CANCELLED);
    }

    @Test
    void aDestroyThatSucceedsAndEndsAFullQueueIsOneTransaction() {
        var cluster = rig.driver.create(living(Duration.ofHours(9)), NOON);
        rig.driver.run(cluster.id(), CREATE, WORKER, DONE, NOON);
        var destroys = fill(cluster, DESTROY, QUEUE_MAX);
        var now = NOON.plusSeconds(100);
        var first = rig.driver.claim(rig.driver.job(destroys.getFirst()), WORKER, now);
        var finish = rig.driver.decideFinish(first, DONE, now);
        var changes = complete(finish, rig.driver::job, now).orElseThrow();
        rig.proxy.resetCounts();

        assertThat(rig.driver.commit(changes, now)).isTrue();

        assertThat(rig.proxy.count(TRANSACTION)).isEqualTo(1);
        assertThat(items(changes, now)).hasSize(LARGEST);
        assertThat(rig.driver.cluster(cluster.id()).queue()).isEmpty();
        assertThat(await(rig.jobs.findJobs(destroys)))
                .extracting(Job::status)
                .startsWith(JobStatus.SUCCEEDED)
                .endsWith(JobStatus.FAILED);
    }

    private List<JobId> fill(Cluster cluster, JobType type, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    var now = NOON.plusSeconds(10 + i);
                    var submit = RULES.submissions()
                            .submit(rig.driver.cluster(cluster.id()), wanted(type), Optional.empty(), now);
                    rig.driver.made(submit, now);
                    return ((SubmitOutcome.Submitted) submit.outcome()).job().id();
                })
                .toList();
    }

    private Stream<TransactWriteItem> items(Changes changes, Instant now) {
        return writes.commit(changes, true, now, now.plus(KEPT)).transactItems().stream();
    }

    private static String partition(TransactWriteItem item) {
        var key = item.put() != null
                ? item.put().item()
                : item.delete() != null ? item.delete().key() : item.update().key();
        return key.get("PK").s();
    }
}
