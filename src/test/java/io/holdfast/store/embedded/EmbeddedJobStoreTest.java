package io.holdfast.store.embedded;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.aJob;
import static io.holdfast.job.port.JobFixtures.keyed;
import static io.holdfast.job.port.JobFixtures.living;
import static io.holdfast.job.port.JobFixtures.submitting;
import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.steps;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobQuery;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStoreContract;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.LockStore;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedJobStoreTest extends JobStoreContract {
    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    public JobStore store() {
        return store.jobs();
    }

    @Override
    protected LockStore locks() {
        return store.locks();
    }

    @Override
    protected int races() {
        return 40;
    }

    @Test
    void everythingIsThereAfterARestart() {
        var driver = driver();
        var ready = aReady();
        var running = driver.claim(driver.submit(ready.id(), keyed(DESTROY, "key"), NOON), WORKER, NOON.plusSeconds(1));
        var pending = driver.create(living(Duration.ofHours(1)), NOON);
        var due = driver.submit(pending.id(), CREATE, NOON);
        var cluster = driver.cluster(ready.id());
        var counts = await(store().count(NOON));

        store.close();
        open();

        assertThat(driver().cluster(ready.id())).isEqualTo(cluster);
        assertThat(driver().job(running.id())).isEqualTo(running);
        assertThat(allRunning()).containsExactly(running.id());
        assertThat(allDue(NOON)).extracting(DueWork::job).containsExactly(due.id());
        assertThat(await(store().findClaims(List.of(WORKER)))).isEqualTo(Map.of(WORKER, running.id()));
        assertThat(await(store().findKey(ready.id(), "key"))).contains(running.id());
        assertThat(await(store().findName(pending.name()))).contains(pending.id());
        assertThat(await(store().count(NOON))).isEqualTo(counts);
        assertThat(driver().finish(running, DONE, NOON.plusSeconds(2)).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aPurgeDeletesWhatHasEndedAndItsEntries() {
        var cluster = aReady();
        var job = driver().submit(cluster.id(), keyed(DESTROY, "key"), NOON.plusSeconds(5));
        driver().finish(driver().claim(job, WORKER, NOON.plusSeconds(6)), DONE, NOON.plusSeconds(7));
        dead(NOON.plusSeconds(60));

        purge(NOON.plus(KEPT).plus(KEPT));

        assertThat(await(store().findJob(job.id()))).isEmpty();
        assertThat(await(store().findCluster(cluster.id()))).isEmpty();
        assertThat(await(store().findKey(cluster.id(), "key"))).isEmpty();
        assertThat(await(store().jobs(new JobQuery(
                                Optional.empty(), Optional.empty(), Optional.empty(), 10, Optional.empty())))
                        .items())
                .isEmpty();
        assertThat(await(store().count(NOON)).dead()).isZero();
    }

    @Test
    void aPurgeDeletesAFewRecordsAtATime() {
        var jobs = IntStream.range(0, 5)
                .mapToObj(i -> driver().run(aReady().id(), DESTROY, WORKER, DONE, NOON.plusSeconds(i)))
                .toList();
        var later = NOON.plus(KEPT).plus(KEPT);

        assertThat(await(store().purge(1, later))).isFalse();
        assertThat(await(store().purge(100, later))).isTrue();
        assertThat(await(store().purge(1, later))).isTrue();

        assertThat(await(store().findJobs(jobs.stream().map(Job::id).toList()))).isEmpty();
    }

    /** A page may be empty, and still have a next one. */
    @Test
    void aPageEndsAfterManyRecordsThatDoNotMatch() {
        var others = IntStream.range(0, 1500)
                .mapToObj(i -> aJob(CREATE, NOON.plusSeconds(i)))
                .toArray(Job[]::new);
        var wanted = aJob(DESTROY, NOON.minusSeconds(1));
        driver().commit(submitting(others), NOON);
        driver().commit(submitting(wanted), NOON);

        for (var status : List.of(Optional.<JobStatus>empty(), Optional.of(JobStatus.QUEUED))) {
            var first = new JobQuery(status, Optional.of(DESTROY), Optional.empty(), 10, Optional.empty());
            assertThat(await(store().jobs(first)).items()).isEmpty();
            assertThat(listed(status, Optional.of(DESTROY), Optional.empty(), 10))
                    .containsExactly(wanted.id());
        }
    }

    /** The clock was far ahead when a lock was purged, and has been corrected. Tokens do not fall. */
    @Test
    void theFirstEpochOfAClusterIsAboveEveryPurgedToken() {
        var ahead = NOON.plus(Duration.ofDays(365));
        var purged = purgedToken(ahead);
        var job = driver().submit(driver().create(aCluster(), NOON).id(), CREATE, NOON);

        var claimed = driver().claim(job, WORKER, NOON);

        assertThat(claimed.lastRun().orElseThrow().epoch()).isGreaterThan(purged.value());
    }

    /** The lock was purged after the rules had read the floor. */
    @Test
    void aClaimWhoseTokenIsNotAboveEveryPurgedOneIsNotWritten() {
        var job = driver().submit(driver().create(aCluster(), NOON).id(), CREATE, NOON);
        var claim = driver().decideClaim(job, WORKER, NOON);
        purgedToken(NOON.plus(Duration.ofDays(365)));

        assertThat(driver().commit(claim, NOON)).isFalse();

        assertThat(driver().job(job.id())).isEqualTo(job);
        assertThat(driver().commit(driver().decideClaim(job, WORKER, NOON), NOON))
                .isTrue();
    }

    private FencingToken purgedToken(Instant now) {
        var request = wants(ADA, Fixtures.aName());
        var granted = (AcquireOutcome.Granted) await(locks().acquire(request, now));
        await(locks().release(granted.lease().ref(), now));
        var step = await(locks().sweep(
                        Optional.empty(),
                        steps(100),
                        now.plus(Fixtures.RETENTION).plusSeconds(60)));
        assertThat(step.purged()).isEqualTo(1);
        return granted.lease().token();
    }
}
