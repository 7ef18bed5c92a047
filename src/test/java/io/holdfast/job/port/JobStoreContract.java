package io.holdfast.job.port;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.LEASE;
import static io.holdfast.job.port.JobFixtures.OTHER_WORKER;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.TRANSIENT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.aName;
import static io.holdfast.job.port.JobFixtures.creating;
import static io.holdfast.job.port.JobFixtures.keyed;
import static io.holdfast.job.port.JobFixtures.named;
import static io.holdfast.job.port.JobFixtures.wanted;
import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.waits;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Changes.WorkerStep;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.LockStore;
import io.smallrye.mutiny.Multi;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every job store must do. Time is an argument, so nothing here waits for it to pass. */
public abstract class JobStoreContract implements JobIndexFacts, JobListFacts {
    /** The store of locks over the same tables, with {@link io.holdfast.lock.port.Fixtures#RULES}. */
    protected abstract LockStore locks();

    /** How many changes the racing tests make at the same time. */
    protected abstract int races();

    // Refusals first. Each changes nothing.

    @Test
    void aClusterThatExistsIsNotCreatedAgain() {
        var cluster = driver().create(aCluster(), NOON);
        var same = new Cluster(
                cluster.id(),
                aName(),
                cluster.labels(),
                cluster.status(),
                cluster.queue(),
                cluster.endedJobs(),
                cluster.lastStarted(),
                cluster.life(),
                cluster.version());

        refused(creating(same), cluster.id());
        assertThat(await(store().findName(same.name()))).isEmpty();
    }

    @Test
    void aClusterThatHasChangedIsNotWritten() {
        var cluster = driver().create(aCluster(), NOON);
        var stale = RULES.submissions().submit(cluster, wanted(CREATE), Optional.empty(), NOON);
        driver().submit(cluster.id(), CREATE, NOON.plusSeconds(1));

        refused(stale.changes().orElseThrow(), cluster.id());
    }

    @Test
    void aClusterThatIsGoneIsNotWritten() {
        var cluster = aCluster();
        var stale = RULES.submissions().submit(cluster, wanted(CREATE), Optional.empty(), NOON);

        refused(stale.changes().orElseThrow(), cluster.id());
    }

    /** The heartbeat changes only the job and the lock, so the version of the job is in the way, not the cluster's. */
    @Test
    void aJobThatHasChangedIsNotWritten() {
        var job = running(aReady(), SCALE_WORKERS);
        var seen = driver().snapshot(job);
        var stale = RULES.operator().cancel(seen, seen.job(job.id()).orElseThrow(), "too late", NOON);
        driver().heartbeat(job, NOON.plusSeconds(10));

        refused(stale.changes().orElseThrow(), job.cluster());
    }

    @Test
    void aJobThatExistsIsNotSubmittedAgain() {
        var cluster = driver().create(aCluster(), NOON);
        var first = RULES.submissions().submit(cluster, wanted(CREATE), Optional.empty(), NOON);
        driver().made(first, NOON);
        var changes = first.changes().orElseThrow();
        var now = driver().cluster(cluster.id());
        var again = new ClusterChange(Optional.of(now), now.writtenAt(NOON));

        refused(new Changes(Optional.of(again), changes.jobs(), Optional.empty(), Optional.empty()), cluster.id());
    }

    @Test
    void aClaimIsNotWrittenIfAClientHasTakenTheLock() {
        var job = driver().submit(driver().create(aCluster(), NOON).id(), CREATE, NOON);
        var claim = driver().decideClaim(job, WORKER, NOON);
        await(locks().acquire(wants(ADA, job.cluster().lock()), NOON));

        refused(claim.changes().orElseThrow(), job.cluster());
    }

    @Test
    void aClaimIsNotWrittenIfTheLockOfTheLastJobWasTakenMeanwhile() {
        var job = driver().submit(aReady().id(), DESTROY, NOON.plusSeconds(10));
        var claim = driver().decideClaim(job, WORKER, NOON.plusSeconds(10));
        await(locks().acquire(wants(ADA, job.cluster().lock()), NOON.plusSeconds(10)));

        refused(claim.changes().orElseThrow(), job.cluster());
    }

    @Test
    void aHeartbeatIsNotWrittenIfTheLockWasFreedByForce() {
        var job = running(aReady(), SCALE_WORKERS);
        var seen = driver().snapshot(job);
        var heartbeat = RULES.runs().heartbeat(seen, job, epoch(job), Optional.empty(), NOON.plusSeconds(20));
        await(locks().forceRelease(force(job.cluster().lock(), lock(job).token()), NOON.plusSeconds(20)));

        refused(heartbeat.changes().orElseThrow(), job.cluster());
    }

    @Test
    void aFinishIsNotWrittenIfAClientHasRenewedTheLock() {
        var job = running(aReady(), SCALE_WORKERS);
        var finish = driver().decideFinish(job, DONE, NOON.plusSeconds(20));
        await(locks().renew(lock(job).lease().ref(), Optional.empty(), NOON.plusSeconds(20)));

        refused(finish.changes().orElseThrow(), job.cluster());
    }

    @Test
    void aSecondActiveClusterDoesNotGetTheName() {
        var first = driver().create(aCluster(), NOON);
        var second = named(first.name());

        refused(creating(second), second.id());
        assertThat(await(store().findName(first.name()))).contains(first.id());
    }

    @Test
    void aFailedClusterDoesNotGetItsNameBackFromAnother() {
        var failed = driver().create(aCluster(), NOON);
        driver().run(failed.id(), CREATE, WORKER, PERMANENT, NOON);
        var successor = driver().create(named(failed.name()), NOON.plusSeconds(5));
        var destroy = driver().submit(failed.id(), DESTROY, NOON.plusSeconds(6));
        var claim = driver().decideClaim(destroy, WORKER, NOON.plusSeconds(7));

        refused(claim.changes().orElseThrow(), failed.id());
        assertThat(await(store().findName(failed.name()))).contains(successor.id());
    }

    @Test
    void aKeyOfTheSameClusterIsNotTakenTwice() {
        var cluster = driver().create(aCluster(), NOON);
        var first = driver().submit(cluster.id(), keyed(CREATE, "k 1"), NOON);
        var second = RULES.submissions()
                .submit(driver().cluster(cluster.id()), keyed(DESTROY, "k 1"), Optional.empty(), NOON.plusSeconds(1));

        refused(second.changes().orElseThrow(), cluster.id());
        assertThat(await(store().findKey(cluster.id(), "k 1"))).contains(first.id());
    }

    @Test
    void aWorkerThatRunsAJobDoesNotStartAnother() {
        var running = running(aReady(), SCALE_WORKERS);
        var other = driver().submit(driver().create(aCluster(), NOON).id(), CREATE, NOON);
        var claim = driver().decideClaim(other, WORKER, NOON);

        refused(claim.changes().orElseThrow(), other.cluster());
        assertThat(claimOf(WORKER)).contains(running.id());
        assertThat(await(locks().find(other.cluster().lock()))).isEmpty();
    }

    // What is written.

    @Test
    void aClaimWritesTheJobTheClusterTheLockAndTheWorker() {
        var cluster = driver().create(aCluster(), NOON);
        var submitted = driver().submit(cluster.id(), CREATE, NOON);

        var claimed = driver().claim(submitted, WORKER, NOON.plusSeconds(1));

        assertThat(driver().job(submitted.id())).isEqualTo(claimed);
        assertThat(claimed.status()).isEqualTo(JobStatus.RUNNING);
        assertThat(driver().cluster(cluster.id()).status()).isEqualTo(ClusterStatus.CREATING);
        assertThat(claimOf(WORKER)).contains(claimed.id());
        assertThat(lease(claimed)).satisfies(lease -> {
            assertThat(lease.token().value()).isEqualTo(epoch(claimed));
            assertThat(lease.owner()).isEqualTo(WORKER.owner());
            assertThat(lease.expiresAt()).isEqualTo(NOON.plusSeconds(1).plus(LEASE));
            assertThat(lease.labels().metadata())
                    .containsEntry("job_id", claimed.id().value());
        });
    }

    @Test
    void aClientIsRefusedTheLockOfARunningJob() {
        var job = running(aReady(), SCALE_WORKERS);

        assertThat(await(locks().acquire(wants(ADA, job.cluster().lock()), NOON.plusSeconds(20))))
                .isInstanceOfSatisfying(AcquireOutcome.HeldByAnother.class, held -> assertThat(held.holder())
                        .isEqualTo(lease(job)));
    }

    @Test
    void aHeartbeatWritesTheJobAndTheLock() {
        var job = running(aReady(), SCALE_WORKERS);
        var cluster = driver().cluster(job.cluster());

        var beating = driver().heartbeat(job, NOON.plusSeconds(600));

        assertThat(driver().job(job.id())).isEqualTo(beating);
        assertThat(lease(job).expiresAt()).isEqualTo(NOON.plusSeconds(600).plus(LEASE));
        assertThat(driver().cluster(job.cluster())).isEqualTo(cluster);
    }

    @Test
    void aFinishWritesTheEndsAndFreesTheLockAndTheWorker() {
        var job = running(aReady(), SCALE_WORKERS);

        var done = driver().finish(job, DONE, NOON.plusSeconds(20));

        assertThat(driver().job(job.id())).isEqualTo(done);
        assertThat(done.status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(driver().cluster(job.cluster()).status()).isEqualTo(ClusterStatus.READY);
        assertThat(lock(job).end()).isPresent();
        assertThat(claimOf(WORKER)).isEmpty();
    }

    @Test
    void theNextEpochIsHigher() {
        var cluster = aReady();
        var first = running(cluster, SCALE_WORKERS);
        driver().finish(first, DONE, NOON.plusSeconds(20));
        var next = driver().submit(cluster.id(), DESTROY, NOON.plusSeconds(21));

        assertThat(epoch(driver().claim(next, OTHER_WORKER, NOON.plusSeconds(22))))
                .isGreaterThan(epoch(first));
    }

    @Test
    void allJobsThatEndAreWritten() {
        var cluster = aReady();
        var jobs = IntStream.range(0, 3)
                .mapToObj(i -> driver().submit(cluster.id(), DESTROY, NOON.plusSeconds(10 + i)))
                .toList();

        driver().finish(driver().claim(jobs.getFirst(), WORKER, NOON.plusSeconds(20)), DONE, NOON.plusSeconds(21));

        assertThat(jobs)
                .extracting(job -> driver().job(job.id()).status())
                .containsExactly(JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.FAILED);
        assertThat(driver().cluster(cluster.id()).queue()).isEmpty();
    }

    /** The queue is a part of the lock, and waiting clients are served after the job. */
    @Test
    void clientsThatWaitForTheLockStayInItsQueue() {
        var job = running(aReady(), SCALE_WORKERS);
        var waiting = waits(BOB, job.cluster().lock(), NOON.plusSeconds(600));
        await(locks().acquire(waiting, NOON.plusSeconds(11)));

        driver().heartbeat(job, NOON.plusSeconds(12));
        driver().finish(job, DONE, NOON.plusSeconds(13));

        assertThat(lock(job).queue().placeOf(waiting.ref())).hasValue(0);
    }

    @Test
    void theNameOfAnotherPlatformOrDomainIsFree() {
        var name = driver().create(aCluster(), NOON).name();

        driver().create(named(new ClusterName(name.name(), "gcp", name.baseDomain())), NOON);
        driver().create(named(new ClusterName(name.name(), name.platform(), "example.org")), NOON);
    }

    @Test
    void theNameOfADestroyedClusterIsFree() {
        var cluster = aReady();
        driver().run(cluster.id(), DESTROY, WORKER, DONE, NOON.plusSeconds(10));
        assertThat(await(store().findName(cluster.name()))).isEmpty();

        var next = driver().create(named(cluster.name()), NOON.plusSeconds(20));

        assertThat(await(store().findName(cluster.name()))).contains(next.id());
    }

    @Test
    void theSameKeyMayBeUsedInAnotherCluster() {
        var one = driver().create(aCluster(), NOON);
        var other = driver().create(aCluster(), NOON);
        driver().submit(one.id(), keyed(CREATE, "key"), NOON);

        var job = driver().submit(other.id(), keyed(CREATE, "key"), NOON);

        assertThat(await(store().findKey(other.id(), "key"))).contains(job.id());
    }

    @Test
    void aKeyStaysWithItsJobUntilItsTimeIsOver() {
        var cluster = aReady();
        var job = driver().submit(cluster.id(), keyed(SCALE_WORKERS, "key"), NOON.plusSeconds(10));
        driver().finish(driver().claim(job, WORKER, NOON.plusSeconds(11)), DONE, NOON.plusSeconds(12));
        assertThat(await(store().findKey(cluster.id(), "key"))).contains(job.id());

        var later = driver().submit(
                        cluster.id(),
                        keyed(SCALE_WORKERS, "key"),
                        NOON.plusSeconds(11).plus(KEPT));

        assertThat(await(store().findKey(cluster.id(), "key"))).contains(later.id());
    }

    @Test
    void aWorkerThatStopsOneJobStaysWithTheOther() {
        var job = running(aReady(), SCALE_WORKERS);
        var elsewhere = new WorkerStep.Stops(WORKER, JobId.newAt(NOON));
        var changes = new Changes(Optional.empty(), List.of(), Optional.empty(), Optional.of(elsewhere));

        assertThat(driver().commit(changes, NOON)).isTrue();

        assertThat(claimOf(WORKER)).contains(job.id());
    }

    // Races.

    @Test
    void oneOfManyClaimsOfAJobIsWritten() {
        var job = driver().submit(driver().create(aCluster(), NOON).id(), CREATE, NOON);
        var claims = IntStream.range(0, races())
                .mapToObj(i -> driver().decideClaim(job, new WorkerName("worker-" + i), NOON))
                .map(decision -> decision.changes().orElseThrow())
                .toList();

        var written = written(claims);

        assertThat(written).hasSize(1);
        var winner = written.getFirst().jobs().getFirst().after();
        assertThat(driver().job(job.id())).isEqualTo(winner);
        assertThat(lease(job).token().value()).isEqualTo(epoch(winner));
    }

    @Test
    void oneOfManyClustersGetsTheName() {
        var name = aName();
        var created = written(
                IntStream.range(0, races()).mapToObj(i -> creating(named(name))).toList());

        assertThat(created).hasSize(1);
        assertThat(await(store().findName(name)))
                .contains(created.getFirst().cluster().orElseThrow().after().id());
    }

    @Test
    void oneOfManyJobsGetsTheWorker() {
        var claims = IntStream.range(0, races())
                .mapToObj(i -> driver().submit(driver().create(aCluster(), NOON).id(), CREATE, NOON))
                .map(job -> driver().decideClaim(job, WORKER, NOON).changes().orElseThrow())
                .toList();

        var written = written(claims);

        assertThat(written).hasSize(1);
        assertThat(claimOf(WORKER))
                .contains(written.getFirst().jobs().getFirst().after().id());
    }

    /** Commits all of them at the same time. */
    private List<Changes> written(List<Changes> all) {
        return Multi.createFrom()
                .iterable(all)
                .onItem()
                .transformToUni(changes -> store().commit(changes, NOON, NOON.plus(KEPT))
                        .map(done -> done ? Optional.of(changes) : Optional.<Changes>empty()))
                .merge(all.size())
                .collect()
                .asList()
                .map(answers -> answers.stream().flatMap(Optional::stream).toList())
                .await()
                .indefinitely();
    }

    // Reads.

    @Test
    void whatIsNotThereIsNotFound() {
        assertThat(await(store().findCluster(ClusterId.random()))).isEmpty();
        assertThat(await(store().findJob(JobId.newAt(NOON)))).isEmpty();
        assertThat(await(store().snapshot(ClusterId.random(), List.of()))).isEmpty();
        assertThat(await(store().findName(aName()))).isEmpty();
        assertThat(await(store().findKey(ClusterId.random(), "key"))).isEmpty();
        assertThat(await(store().findClaims(List.of(WORKER)))).isEmpty();
        assertThat(await(store().findClaims(List.of()))).isEmpty();
        assertThat(await(store().findJobs(List.of()))).isEmpty();
    }

    @Test
    void aSnapshotHasTheJobsThatExistAndTheLock() {
        var cluster = driver().create(aCluster(), NOON);
        var create = driver().submit(cluster.id(), CREATE, NOON);
        var destroy = driver().submit(cluster.id(), DESTROY, NOON.plusSeconds(1));
        assertThat(driver().snapshot(create).lock()).isEmpty();
        var claimed = driver().claim(create, WORKER, NOON.plusSeconds(2));

        var seen = await(store().snapshot(cluster.id(), List.of(destroy.id(), JobId.newAt(NOON), create.id())))
                .orElseThrow();

        assertThat(seen.cluster()).isEqualTo(driver().cluster(cluster.id()));
        assertThat(seen.jobs()).isEqualTo(Map.of(create.id(), claimed, destroy.id(), destroy));
        assertThat(seen.lock()).contains(lock(create));
    }

    @Test
    void jobsAreFoundInTheGivenOrder() {
        var cluster = driver().create(aCluster(), NOON);
        var jobs = new ArrayList<Job>();
        jobs.add(driver().submit(cluster.id(), CREATE, NOON));
        IntStream.range(1, 5).forEach(i -> jobs.add(driver().submit(cluster.id(), DESTROY, NOON.plusSeconds(i))));
        var asked = List.of(jobs.get(3), jobs.get(0), jobs.get(4)).stream()
                .map(Job::id)
                .toList();
        var withUnknown = new ArrayList<>(asked);
        withUnknown.add(1, JobId.newAt(NOON));

        assertThat(await(store().findJobs(withUnknown))).extracting(Job::id).isEqualTo(asked);
    }

    /** More than one read of the store may fetch. */
    @Test
    void manyJobsAreFound() {
        var jobs = IntStream.range(0, 120)
                .mapToObj(i -> JobFixtures.aJob(CREATE, NOON.plusSeconds(i)))
                .toList();
        jobs.forEach(job ->
                assertThat(driver().commit(JobFixtures.submitting(job), NOON)).isTrue());

        assertThat(await(store().findJobs(jobs.stream().map(Job::id).toList()))).isEqualTo(jobs);
    }

    @Test
    void theJobsOfSeveralWorkersAreFound() {
        var one = running(aReady(), SCALE_WORKERS);
        var ready = aReady(OTHER_WORKER);
        var other = driver().claim(
                        driver().submit(ready.id(), DESTROY, NOON.plusSeconds(10)), OTHER_WORKER, NOON.plusSeconds(10));

        assertThat(await(store().findClaims(List.of(new WorkerName("idle"), OTHER_WORKER, WORKER))))
                .isEqualTo(Map.of(WORKER, one.id(), OTHER_WORKER, other.id()));
    }

    @Test
    void aFailedRunWaitsForItsNextAttempt() {
        var job = running(aReady(), SCALE_WORKERS);

        var waiting = driver().finish(job, TRANSIENT, NOON.plusSeconds(20));

        assertThat(driver().job(job.id())).isEqualTo(waiting);
        assertThat(waiting.status()).isEqualTo(JobStatus.WAITING);
        assertThat(driver().cluster(job.cluster()).status()).isEqualTo(ClusterStatus.SCALING);
        assertThat(claimOf(WORKER)).isEmpty();
    }

    /** Nothing that can be read of the cluster changes. */
    private void refused(Changes changes, ClusterId cluster) {
        var before = everything(cluster, changes);

        assertThat(driver().commit(changes, NOON.plusSeconds(30))).isFalse();

        assertThat(everything(cluster, changes)).isEqualTo(before);
    }

    private List<Object> everything(ClusterId id, Changes changes) {
        var jobs = changes.jobs().stream().map(change -> change.after().id()).toList();
        return List.of(
                await(store().findCluster(id)),
                await(store().findJobs(jobs)),
                await(locks().find(id.lock())),
                await(store().findClaims(List.of(WORKER, OTHER_WORKER))),
                allDue(NOON.plus(KEPT)),
                allRunning(),
                await(store().count(NOON)));
    }

    private Job running(Cluster ready, JobType type) {
        return driver().claim(driver().submit(ready.id(), type, NOON.plusSeconds(10)), WORKER, NOON.plusSeconds(10));
    }

    private Optional<JobId> claimOf(WorkerName worker) {
        return Optional.ofNullable(await(store().findClaims(List.of(worker))).get(worker));
    }

    private LockRecord lock(Job job) {
        return await(locks().find(job.cluster().lock())).orElseThrow();
    }

    private Lease lease(Job job) {
        return lock(job).lease();
    }

    private static long epoch(Job job) {
        return job.lastRun().map(Run::epoch).orElseThrow();
    }
}
