package io.holdfast.job.port;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.RETRY_DELAY;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.TRANSIENT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.living;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The index of every job store follows the records: what is due, what runs, and what has expired. */
interface JobIndexFacts {
    /** An empty store for each test. */
    JobStore store();

    default JobDriver driver() {
        return new JobDriver(store());
    }

    @Test
    default void theFirstJobOfEachQueueIsDue() {
        var cluster = driver().create(
                        Cluster.created(
                                ClusterId.random(),
                                JobFixtures.aName(),
                                new ClusterLabels(Map.of("region", "eu")),
                                Optional.empty(),
                                NOON,
                                1),
                        NOON);
        var create = driver().submit(cluster.id(), CREATE, NOON.plusSeconds(5));
        driver().submit(cluster.id(), DESTROY, NOON.plusSeconds(6));

        assertThat(allDue(NOON.plusSeconds(60)))
                .containsExactly(new DueWork(
                        cluster.id(),
                        create.id(),
                        CREATE,
                        NOON.plusSeconds(5),
                        new ClusterLabels(Map.of("region", "eu"))));
    }

    @Test
    default void workOfManyClustersIsOrderedByTime() {
        var jobs = IntStream.range(0, 20)
                .mapToObj(i ->
                        driver().submit(driver().create(aCluster(), NOON).id(), CREATE, NOON.plusSeconds((i * 7) % 20)))
                .sorted(Comparator.comparing(Job::dueAt))
                .toList();

        assertThat(allDue(NOON.plusSeconds(60))).extracting(DueWork::job).isEqualTo(ids(jobs));
        for (var shard = 0; shard < JobStore.SHARDS; shard++) {
            assertThat(due(CREATE, shard, 100, NOON.plusSeconds(60)))
                    .isSortedAccordingTo(Comparator.comparing(DueWork::dueAt));
        }
    }

    @Test
    default void workIsFoundPageByPage() {
        var jobs = IntStream.range(0, 30)
                .mapToObj(i -> driver().submit(driver().create(aCluster(), NOON).id(), CREATE, NOON.plusSeconds(i)))
                .toList();

        for (var shard = 0; shard < JobStore.SHARDS; shard++) {
            var own = shard;
            assertThat(due(CREATE, shard, 2, NOON.plusSeconds(60)))
                    .extracting(DueWork::job)
                    .containsExactlyElementsOf(ids(jobs.stream()
                            .filter(job -> JobStore.shardOf(job.cluster()) == own)
                            .toList()));
        }
    }

    @Test
    default void workIsFoundByItsType() {
        var cluster = aReady();
        driver().submit(cluster.id(), SCALE_WORKERS, NOON.plusSeconds(10));

        var shard = JobStore.shardOf(cluster.id());
        assertThat(due(SCALE_WORKERS, shard, 10, NOON.plusSeconds(10))).hasSize(1);
        assertThat(due(CREATE, shard, 10, NOON.plusSeconds(10))).isEmpty();
    }

    @Test
    default void aRunningJobIsNotDueAndKeepsItsQueueWaiting() {
        var cluster = aReady();
        var scale = driver().submit(cluster.id(), SCALE_WORKERS, NOON.plusSeconds(10));
        driver().submit(cluster.id(), SCALE_WORKERS, NOON.plusSeconds(11));

        var claimed = driver().claim(scale, WORKER, NOON.plusSeconds(12));

        assertThat(allDue(NOON.plus(KEPT))).isEmpty();
        assertThat(allRunning()).containsExactly(claimed.id());
        driver().heartbeat(claimed, NOON.plusSeconds(13));
        assertThat(allDue(NOON.plus(KEPT))).isEmpty();
        assertThat(allRunning()).containsExactly(claimed.id());
    }

    @Test
    default void theNextJobIsDueAfterTheLastOneHasEnded() {
        var cluster = aReady();
        var first = driver().submit(cluster.id(), SCALE_WORKERS, NOON.plusSeconds(10));
        var next = driver().submit(cluster.id(), DESTROY, NOON.plusSeconds(11));
        // The destroy has superseded the queued change.
        assertThat(driver().job(first.id()).status().isEnded()).isTrue();
        assertThat(allDue(NOON.plusSeconds(60))).extracting(DueWork::job).containsExactly(next.id());

        driver().finish(driver().claim(next, WORKER, NOON.plusSeconds(12)), DONE, NOON.plusSeconds(13));

        assertThat(allDue(NOON.plus(KEPT))).isEmpty();
        assertThat(allRunning()).isEmpty();
    }

    @Test
    default void aJobThatWaitsForItsNextAttemptIsDueAtItsTime() {
        var cluster = aReady();
        var job = driver().submit(cluster.id(), SCALE_WORKERS, NOON.plusSeconds(10));
        var failedAt = NOON.plusSeconds(20);

        driver().finish(driver().claim(job, WORKER, NOON.plusSeconds(10)), TRANSIENT, failedAt);

        assertThat(allRunning()).isEmpty();
        assertThat(allDue(failedAt.plus(RETRY_DELAY).minusMillis(1))).isEmpty();
        assertThat(allDue(failedAt.plus(RETRY_DELAY))).extracting(DueWork::job).containsExactly(job.id());
    }

    @Test
    default void aCancelledJobIsNotDue() {
        var cluster = driver().create(aCluster(), NOON);
        var job = driver().submit(cluster.id(), CREATE, NOON);

        driver().cancel(job, NOON.plusSeconds(1));

        assertThat(allDue(NOON.plus(KEPT))).isEmpty();
    }

    @Test
    default void aDeadJobThatIsRetriedIsDueAgain() {
        var cluster = aReady();
        var job = driver().submit(cluster.id(), SCALE_WORKERS, NOON.plusSeconds(10));
        var now = NOON.plusSeconds(10);
        for (var attempt = 0; attempt < JobFixtures.ATTEMPTS_MAX; attempt++) {
            driver().finish(driver().claim(driver().job(job.id()), WORKER, now), TRANSIENT, now);
            now = now.plus(Duration.ofHours(1));
        }
        assertThat(allDue(NOON.plus(KEPT))).isEmpty();

        driver().retry(job, now);

        assertThat(allDue(now)).extracting(DueWork::job).containsExactly(job.id());
    }

    @Test
    default void runningJobsAreFoundPageByPage() {
        var running = IntStream.range(0, 20)
                .mapToObj(i -> driver().claim(
                                driver().submit(
                                                driver().create(aCluster(), NOON)
                                                        .id(),
                                                CREATE,
                                                NOON),
                                new WorkerName("worker-" + i),
                                NOON))
                .map(Job::id)
                .toList();

        assertThat(allRunning()).containsExactlyInAnyOrderElementsOf(running);
    }

    @Test
    default void aClusterHasExpiredAtTheEndOfItsTtl() {
        var cluster = driver().create(living(Duration.ofHours(1)), NOON);
        driver().create(aCluster(), NOON);

        assertThat(allExpired(NOON.plusSeconds(3599))).isEmpty();
        assertThat(allExpired(NOON.plusSeconds(3600))).containsExactly(cluster.id());
    }

    @Test
    default void expiredClustersAreFoundPageByPageTheOldestFirst() {
        var clusters = IntStream.range(0, 20)
                .mapToObj(i -> driver().create(living(Duration.ofMinutes(60 + (i * 7) % 20)), NOON))
                .sorted(Comparator.comparing(
                        cluster -> cluster.life().expiresAt().orElseThrow()))
                .map(Cluster::id)
                .toList();

        for (var shard = 0; shard < JobStore.SHARDS; shard++) {
            var own = shard;
            assertThat(expired(shard, NOON.plus(KEPT)))
                    .containsExactlyElementsOf(clusters.stream()
                            .filter(id -> JobStore.shardOf(id) == own)
                            .toList());
        }
    }

    @Test
    default void aClusterForWhichTheJanitorHasSubmittedAJobIsNoLongerExpired() {
        var cluster = driver().create(living(Duration.ofHours(1)), NOON);
        driver().run(cluster.id(), CREATE, WORKER, DONE, NOON);
        var now = NOON.plus(Duration.ofHours(2));

        driver().made(RULES.submissions().expire(driver().cluster(cluster.id()), now), now);

        assertThat(allExpired(NOON.plus(KEPT))).isEmpty();
        assertThat(allDue(now)).extracting(DueWork::type).containsExactly(JobType.JANITOR_DESTROY);
    }

    @Test
    default void aDestroyedClusterDoesNotExpire() {
        var cluster = driver().create(living(Duration.ofHours(1)), NOON);
        driver().run(cluster.id(), CREATE, WORKER, DONE, NOON);

        driver().run(cluster.id(), DESTROY, WORKER, DONE, NOON.plusSeconds(10));

        assertThat(allExpired(NOON.plus(KEPT))).isEmpty();
    }

    @Test
    default void aFailedClusterExpires() {
        var cluster = driver().create(living(Duration.ofHours(1)), NOON);

        driver().run(cluster.id(), CREATE, WORKER, PERMANENT, NOON);

        assertThat(allExpired(NOON.plus(KEPT))).containsExactly(cluster.id());
    }

    default Cluster aReady() {
        return aReady(WORKER);
    }

    default Cluster aReady(WorkerName worker) {
        var cluster = driver().create(aCluster(), NOON);
        driver().run(cluster.id(), CREATE, worker, DONE, NOON);
        return driver().cluster(cluster.id());
    }

    /** The due work of all sections, the oldest first. */
    default List<DueWork> allDue(Instant now) {
        var all = new ArrayList<DueWork>();
        for (var type : JobType.values()) {
            for (var shard = 0; shard < JobStore.SHARDS; shard++) {
                all.addAll(due(type, shard, 7, now));
            }
        }
        all.sort(Comparator.comparing(DueWork::dueAt));
        return all;
    }

    private List<DueWork> due(JobType type, int shard, int limit, Instant now) {
        return pages(after -> await(store().due(new JobStore.Section(type, shard), limit, after, now)));
    }

    default List<JobId> allRunning() {
        return IntStream.range(0, JobStore.SHARDS)
                .boxed()
                .flatMap(shard -> this.<JobId>pages(after -> await(store().running(shard, 2, after))).stream())
                .toList();
    }

    private List<ClusterId> allExpired(Instant now) {
        return IntStream.range(0, JobStore.SHARDS)
                .boxed()
                .flatMap(shard -> expired(shard, now).stream())
                .toList();
    }

    private List<ClusterId> expired(int shard, Instant now) {
        return pages(after -> await(store().expired(shard, 2, after, now)));
    }

    /** The items of all pages, in order. */
    default <T> List<T> pages(Function<Optional<Cursor>, Page<T>> read) {
        var all = new ArrayList<T>();
        var after = Optional.<Cursor>empty();
        do {
            var before = after;
            var page = read.apply(before);
            all.addAll(page.items());
            page.next().ifPresent(next -> assertThat(before).isNotEqualTo(Optional.of(next)));
            after = page.next();
        } while (after.isPresent());
        return all;
    }

    private static List<JobId> ids(List<Job> jobs) {
        return jobs.stream().map(Job::id).toList();
    }
}
