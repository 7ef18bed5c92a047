package io.holdfast.job.port;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.RETRY_DELAY;
import static io.holdfast.job.port.JobFixtures.TRANSIENT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.named;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists, the counts and the purge of every job store. */
interface JobListFacts extends JobIndexFacts {
    /** A cluster with jobs of several statuses. */
    private List<Job> someJobs() {
        var jobs = new ArrayList<Job>();
        for (var i = 0; i < 3; i++) {
            var cluster = driver().create(aCluster(), NOON);
            var at = NOON.plusSeconds(100 * i);
            jobs.add(driver().run(cluster.id(), CREATE, WORKER, DONE, at));
            jobs.add(driver().run(cluster.id(), SCALE_WORKERS, WORKER, DONE, at.plusSeconds(10)));
            jobs.add(driver().cancel(driver().submit(cluster.id(), DESTROY, at.plusSeconds(20)), at.plusSeconds(21)));
            jobs.add(driver().submit(cluster.id(), SCALE_WORKERS, at.plusSeconds(30)));
            jobs.add(driver().submit(cluster.id(), SCALE_WORKERS, at.plusSeconds(40)));
        }
        return jobs;
    }

    @Test
    default void allJobsAreListedOnceTheNewestFirst() {
        var jobs = someJobs();

        for (var limit : List.of(1, 4, 100)) {
            assertThat(listed(Optional.empty(), Optional.empty(), Optional.empty(), limit))
                    .isEqualTo(newestFirst(jobs.stream()));
        }
    }

    @Test
    default void jobsAreListedByStatus() {
        var jobs = someJobs();

        for (var status : JobStatus.values()) {
            assertThat(listed(Optional.of(status), Optional.empty(), Optional.empty(), 2))
                    .isEqualTo(newestFirst(jobs.stream().filter(job -> job.status() == status)));
        }
    }

    @Test
    default void jobsAreListedByType() {
        var jobs = someJobs();

        for (var type : JobType.values()) {
            assertThat(listed(Optional.empty(), Optional.of(type), Optional.empty(), 2))
                    .isEqualTo(newestFirst(jobs.stream().filter(job -> job.type() == type)));
        }
    }

    @Test
    default void jobsAreListedByStatusAndType() {
        var jobs = someJobs();

        assertThat(listed(Optional.of(JobStatus.SUCCEEDED), Optional.of(CREATE), Optional.empty(), 2))
                .isEqualTo(newestFirst(
                        jobs.stream().filter(job -> job.status() == JobStatus.SUCCEEDED && job.type() == CREATE)));
    }

    @Test
    default void theJobsOfAClusterAreListed() {
        var jobs = someJobs();
        var cluster = jobs.getFirst().cluster();
        var own = jobs.stream().filter(job -> job.cluster().equals(cluster)).toList();

        assertThat(listed(Optional.empty(), Optional.empty(), Optional.of(cluster), 2))
                .isEqualTo(newestFirst(own.stream()));
        assertThat(listed(Optional.of(JobStatus.QUEUED), Optional.empty(), Optional.of(cluster), 1))
                .isEqualTo(newestFirst(own.stream().filter(job -> job.status() == JobStatus.QUEUED)));
        assertThat(listed(Optional.empty(), Optional.of(CREATE), Optional.of(cluster), 1))
                .isEqualTo(newestFirst(own.stream().filter(job -> job.type() == CREATE)));
    }

    @Test
    default void anUnknownClusterHasNoJobs() {
        someJobs();

        assertThat(listed(Optional.empty(), Optional.empty(), Optional.of(ClusterId.random()), 10))
                .isEmpty();
    }

    @Test
    default void clustersAreListedByName() {
        for (var name : List.of("b", "a-1", "a", "B", "a.b", "ab", "zz")) {
            driver().create(named(new ClusterName(name, "aws", "example.com")), NOON);
        }
        driver().create(named(new ClusterName("a", "gcp", "example.com")), NOON);

        for (var limit : List.of(1, 3, 100)) {
            assertThat(clusters(Optional.empty(), "", limit))
                    .extracting(cluster -> cluster.name().name())
                    .containsExactly("B", "a", "a", "a-1", "a.b", "ab", "b", "zz");
        }
        assertThat(clusters(Optional.empty(), "", 1)).doesNotHaveDuplicates();
        assertThat(clusters(Optional.empty(), "a", 2))
                .extracting(cluster -> cluster.name().name())
                .containsExactly("a", "a", "a-1", "a.b", "ab");
        assertThat(clusters(Optional.empty(), "c", 2)).isEmpty();
    }

    @Test
    default void clustersAreListedByStatus() {
        var pending = driver().create(aCluster(), NOON);
        var ready = aReady();
        var failed = driver().create(aCluster(), NOON);
        driver().run(failed.id(), CREATE, WORKER, PERMANENT, NOON);
        var destroyed = aReady();
        driver().run(destroyed.id(), DESTROY, WORKER, DONE, NOON.plusSeconds(10));

        assertThat(clusters(Optional.of(ClusterStatus.PENDING), "", 1)).containsExactly(pending);
        assertThat(clusters(Optional.of(ClusterStatus.READY), "", 1)).containsExactly(ready);
        assertThat(clusters(Optional.of(ClusterStatus.FAILED), "", 1)).containsExactly(driver().cluster(failed.id()));
        assertThat(clusters(Optional.of(ClusterStatus.DESTROYED), "", 1))
                .containsExactly(driver().cluster(destroyed.id()));
        assertThat(clusters(Optional.of(ClusterStatus.SCALING), "", 1)).isEmpty();
    }

    @Test
    default void anEmptyStoreCountsNothing() {
        var counts = await(store().count(NOON));

        assertThat(counts.queued().values()).allMatch(count -> count == 0);
        assertThat(counts.oldestDue()).isEmpty();
        assertThat(counts.dead()).isZero();
        assertThat(counts.oldestDead()).isEmpty();
    }

    @Test
    default void jobsThatQueueOrWaitAreCountedByType() {
        var scaling = aReady();
        driver().submit(scaling.id(), SCALE_WORKERS, NOON.plusSeconds(40));
        driver().submit(scaling.id(), SCALE_WORKERS, NOON.plusSeconds(41));
        var older = aReady();
        driver().submit(older.id(), SCALE_WORKERS, NOON.plusSeconds(30));
        var destroying = aReady();
        driver().run(destroying.id(), DESTROY, WORKER, TRANSIENT, NOON.plusSeconds(50));
        var running = driver().create(aCluster(), NOON);
        driver().claim(driver().submit(running.id(), CREATE, NOON.plusSeconds(60)), WORKER, NOON.plusSeconds(60));

        var counts = await(store().count(NOON.plusSeconds(70)));

        assertThat(counts.queued())
                .containsEntry(SCALE_WORKERS, 3L)
                .containsEntry(DESTROY, 1L)
                .containsEntry(CREATE, 0L);
        assertThat(counts.oldestDue()).isEqualTo(Map.of(SCALE_WORKERS, NOON.plusSeconds(30)));
        var later = NOON.plusSeconds(51).plus(RETRY_DELAY);
        assertThat(await(store().count(later)).oldestDue())
                .isEqualTo(Map.of(SCALE_WORKERS, NOON.plusSeconds(30), DESTROY, later));
    }

    @Test
    default void deadJobsAreCountedFromTheTimeAtWhichTheyDied() {
        var first = dead(NOON.plusSeconds(60));
        dead(NOON.plusSeconds(120));

        var counts = await(store().count(NOON.plus(KEPT)));

        assertThat(counts.dead()).isEqualTo(2);
        assertThat(counts.oldestDead()).contains(first.end().orElseThrow().at());
    }

    @Test
    default void aPurgeKeepsWhatHasNotEnded() {
        var jobs = someJobs();
        var waiting = driver().run(aReady().id(), SCALE_WORKERS, WORKER, TRANSIENT, NOON.plusSeconds(10));
        var failed = driver().create(aCluster(), NOON);
        driver().run(failed.id(), CREATE, WORKER, PERMANENT, NOON);
        var kept = jobs.stream().filter(job -> job.status().isActive()).toList();

        purge(NOON.plus(KEPT).plus(KEPT));

        assertThat(await(store().findJobs(kept.stream().map(Job::id).toList()))).isEqualTo(kept);
        assertThat(driver().job(waiting.id())).isEqualTo(waiting);
        assertThat(driver().cluster(failed.id()).status()).isEqualTo(ClusterStatus.FAILED);
        assertThat(listed(Optional.of(JobStatus.QUEUED), Optional.empty(), Optional.empty(), 3))
                .isEqualTo(newestFirst(kept.stream()));
        assertThat(allDue(NOON.plus(KEPT))).hasSize(4);
    }

    @Test
    default void aPurgeKeepsWhatHasEndedUntilItsTimeIsOver() {
        var jobs = someJobs();
        var destroyed = aReady();
        driver().run(destroyed.id(), DESTROY, WORKER, DONE, NOON);

        purge(NOON.plus(KEPT));

        assertThat(await(store().findJobs(jobs.stream().map(Job::id).toList()))).isEqualTo(jobs);
        assertThat(driver().cluster(destroyed.id()).status()).isEqualTo(ClusterStatus.DESTROYED);
    }

    /** A retry takes a job out of those that may be deleted. */
    @Test
    default void aPurgeKeepsADeadJobThatWasRetried() {
        var dead = dead(NOON.plusSeconds(60));
        var retried = driver().retry(dead, NOON.plus(Duration.ofDays(1)));

        purge(NOON.plus(KEPT).plus(KEPT));

        assertThat(driver().job(dead.id())).isEqualTo(retried);
    }

    default void purge(Instant now) {
        var calls = 1;
        while (!await(store().purge(3, now))) {
            assertThat(++calls).as("calls").isLessThan(100);
        }
    }

    /** A job whose attempts have all failed. */
    default Job dead(Instant from) {
        var job = driver().submit(aReady().id(), SCALE_WORKERS, from);
        var now = from;
        for (var attempt = 0; attempt < JobFixtures.ATTEMPTS_MAX; attempt++) {
            driver().finish(driver().claim(driver().job(job.id()), WORKER, now), TRANSIENT, now);
            now = now.plus(Duration.ofHours(1));
        }
        var dead = driver().job(job.id());
        assertThat(dead.status()).isEqualTo(JobStatus.DEAD);
        return dead;
    }

    default List<JobId> listed(
            Optional<JobStatus> status, Optional<JobType> type, Optional<ClusterId> cluster, int limit) {
        return this.<Job>pages(after -> await(store().jobs(new JobQuery(status, type, cluster, limit, after)))).stream()
                .map(Job::id)
                .toList();
    }

    private List<Cluster> clusters(Optional<ClusterStatus> status, String prefix, int limit) {
        return pages(after -> await(store().clusters(new ClusterQuery(status, prefix, limit, after))));
    }

    private static List<JobId> newestFirst(Stream<Job> jobs) {
        return jobs.map(Job::id).sorted(Comparator.reverseOrder()).toList();
    }
}
