package io.holdfast.job.janitor;

import static io.holdfast.job.port.JobFixtures.DEADLINE;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.LEASE;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.RESCUE_AFTER;
import static io.holdfast.job.port.JobFixtures.TERMS;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.living;
import static io.holdfast.job.port.JobFixtures.named;
import static io.holdfast.lock.port.Fixtures.BOB;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.job.action.JobSignals;
import io.holdfast.job.action.JobTransactions;
import io.holdfast.job.janitor.Janitor.Pass;
import io.holdfast.job.janitor.Janitor.Work;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.Finish;
import io.holdfast.job.port.JobRules;
import io.holdfast.job.port.JobStore;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.kernel.TestClock;
import io.holdfast.kernel.Timers;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.queue.Cleanup;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JanitorTest {
    private static final int STEP_SIZE = 3;
    private static final Duration LOCK_TTL = Duration.ofMinutes(1);
    private static final Duration TTL = Duration.ofHours(8);
    private static final Duration OVERDUE = LEASE.plus(RESCUE_AFTER).plus(SKEW).plusMillis(1);

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock(NOON);
    private final HeardJobs heard = new HeardJobs();
    private EmbeddedStore embedded;
    private HookedJobStore hooked;
    private JobStore store;
    private Workshop workshop;
    private Janitor janitor;

    @BeforeEach
    void open() {
        embedded = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
        store = embedded.jobs();
        hooked = new HookedJobStore(store);
        workshop = new Workshop(store, clock);
        janitor = replica();
    }

    @AfterEach
    void close() {
        embedded.close();
    }

    // Runs of dead workers.

    @Test
    void aRunWhoseLeaseExpiredLongAgoIsEndedAndTheJobWaitsForItsNextAttempt() {
        var job = aRunningJob();
        clock.advance(OVERDUE);

        assertThat(pass()).isEqualTo(done(1, 0));

        assertThat(read(job).status()).isEqualTo(JobStatus.WAITING);
        assertThat(errorOf(job)).isEqualTo(JobError.WORKER_TIMEOUT);
        assertThat(heard.rescued).containsExactly(Map.entry(job.id(), Run.Result.TIMED_OUT));
    }

    @Test
    void aRunWhoseLeaseExpiredAMomentAgoIsLeftAlone() {
        var job = aRunningJob();
        clock.advance(OVERDUE.minusMillis(1));

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(read(job).status()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void pagesFullOfLongRunningJobsDoNotHideAStuckOne() {
        var jobs = new ArrayList<Job>();
        for (var i = 0; i < 8 * JobStore.SHARDS; i++) {
            jobs.add(aRunningJob());
        }
        var stuck = lastOfTheFullestShard(jobs);
        clock.advance(LEASE.minusSeconds(1));
        jobs.stream().filter(job -> !job.equals(stuck)).forEach(workshop::heartbeat);
        clock.advance(RESCUE_AFTER.plus(SKEW).plusSeconds(2));

        assertThat(pass()).isEqualTo(done(1, 0));

        assertThat(heard.rescued).containsOnlyKeys(stuck.id());
    }

    private static Job lastOfTheFullestShard(List<Job> jobs) {
        var shard = jobs.stream().collect(Collectors.groupingBy(job -> JobStore.shardOf(job.id()))).values().stream()
                .max(Comparator.comparing(List::size))
                .orElseThrow();
        assertThat(shard).hasSizeGreaterThan(STEP_SIZE);
        return shard.stream().max(Comparator.comparing(job -> job.id().value())).orElseThrow();
    }

    /** The clock of the worker's replica is a little behind, so that its heartbeat is accepted. */
    @Test
    void aHeartbeatBetweenTheJanitorsReadAndItsDecisionSavesTheRun() {
        var job = aRunningJob();
        var behind = new TestClock(NOON.plus(LEASE).minusSeconds(1));
        clock.advance(OVERDUE);
        hooked.beforeNext("snapshot", () -> new Workshop(store, behind).heartbeat(job));

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(read(job).status()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void aHeartbeatBetweenTheJanitorsDecisionAndItsWriteSavesTheRun() {
        var job = aRunningJob();
        var behind = new TestClock(NOON.plus(LEASE).minusSeconds(1));
        clock.advance(OVERDUE);
        hooked.beforeNext("commit", () -> {
            new Workshop(store, behind).heartbeat(job);
        });

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(read(job).status()).isEqualTo(JobStatus.RUNNING);
        assertThat(heard.rescued).isEmpty();
    }

    /** By the clock of the worker's replica, the lease lasts. */
    @Test
    void aFinishBetweenTheJanitorsDecisionAndItsWriteCounts() {
        var job = aRunningJob();
        var behind = new TestClock(NOON.plus(LEASE).minusSeconds(1));
        clock.advance(OVERDUE);
        hooked.beforeNext("commit", () -> {
            new Workshop(store, behind).finish(job, new Finish.Complete(Optional.empty()));
        });

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(read(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(statusOf(job.cluster())).isEqualTo(ClusterStatus.READY);
        assertThat(heard.rescued).isEmpty();
    }

    @Test
    void aRunWhoseLockIsGoneEndsForGoodAndItsClusterIsFailed() {
        var job = aRunningJob();
        var lock = job.cluster().lock();
        var token = await(embedded.locks().find(lock)).orElseThrow().token();
        await(embedded.locks().forceRelease(force(lock, token), clock.instant()));

        assertThat(pass()).isEqualTo(done(1, 0));

        assertThat(read(job).status()).isEqualTo(JobStatus.FAILED);
        assertThat(errorOf(job)).isEqualTo(JobError.LOCK_STATE_LOST);
        assertThat(statusOf(job.cluster())).isEqualTo(ClusterStatus.FAILED);
        assertThat(heard.rescued).containsExactly(Map.entry(job.id(), Run.Result.LOCK_LOST));
    }

    @Test
    void aRunThatSendsHeartbeatsIsEndedAfterItsDeadline() {
        var job = aRunningJob();
        var step = Duration.ofMinutes(30);
        for (var at = step; at.compareTo(DEADLINE) < 0; at = at.plus(step)) {
            clock.advance(step);
            workshop.heartbeat(job);
        }
        clock.advance(step.plus(RESCUE_AFTER).plus(SKEW).plusMillis(1));

        assertThat(pass()).isEqualTo(done(1, 0));

        assertThat(errorOf(job)).isEqualTo(JobError.DEADLINE_EXCEEDED);
    }

    @Test
    void aRunThatIsEndedTwiceAtTheSameTimeIsEndedOnce() {
        aRunningJob();
        clock.advance(OVERDUE);
        hooked.beforeNext("commit", () -> {
            var other =
                    new JobTransactions(store, TERMS, Fixtures.RULES, KEPT, clock, new HeardJobs(), new JobSignals());
            var read = await(store.findJob(onlyRunning())).orElseThrow();
            await(other.onJob(read, (rules, seen, job, now) -> rules.rescues().rescue(seen, read, now)));
        });

        assertThat(pass()).isEqualTo(done(0, 0));
    }

    // Clusters whose TTL is over.

    @Test
    void aClusterWhoseTtlIsOverIsDestroyedByOneJob() {
        var cluster = aReadyClusterWithTtl();
        clock.advance(TTL);

        assertThat(pass()).isEqualTo(done(0, 1));
        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(heard.submitted).singleElement().satisfies(job -> {
            assertThat(job.type()).isEqualTo(JobType.JANITOR_DESTROY);
            assertThat(job.cluster()).isEqualTo(cluster);
        });
        assertThat(queueOf(cluster)).isEqualTo(1);
    }

    @Test
    void aFailedClusterWhoseNameBelongsToAnotherIsDestroyedWhenTheNameIsFree() {
        var failed = living(TTL);
        workshop.create(failed);
        workshop.finish(workshop.run(failed.id(), JobType.CREATE), PERMANENT);
        var other = workshop.create(named(failed.name()));
        clock.advance(TTL);

        assertThat(pass()).isEqualTo(done(0, 0));
        assertThat(queueOf(failed.id())).isZero();

        workshop.finish(workshop.run(other.id(), JobType.CREATE), PERMANENT);
        assertThat(pass()).isEqualTo(done(0, 1));
        assertThat(queueOf(failed.id())).isEqualTo(1);
    }

    @Test
    void afterTheJanitorsJobHasFailedThereIsNoSecondOne() {
        var cluster = aReadyClusterWithTtl();
        clock.advance(TTL);
        pass();
        var job = workshop.claim(heard.submitted.getFirst());
        workshop.finish(job, PERMANENT);

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(statusOf(cluster)).isEqualTo(ClusterStatus.FAILED);
    }

    @Test
    void aClusterThatAClientDestroysAlreadyGetsNoSecondDestroy() {
        var cluster = aReadyClusterWithTtl();
        workshop.submit(cluster, JobType.DESTROY);
        clock.advance(TTL);

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(queueOf(cluster)).isEqualTo(1);
    }

    @Test
    void aClusterThatWasNeverCreatedNeedsNoJobToBeDestroyed() {
        var cluster = workshop.create(living(TTL)).id();
        clock.advance(TTL);

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(statusOf(cluster)).isEqualTo(ClusterStatus.DESTROYED);
    }

    @Test
    void twoJanitorsThatFindTheSameClusterSubmitOneJob() {
        var cluster = aReadyClusterWithTtl();
        clock.advance(TTL);
        hooked.beforeNext("commit", () -> {
            var other =
                    new JobTransactions(store, TERMS, Fixtures.RULES, KEPT, clock, new HeardJobs(), new JobSignals());
            await(other.onCluster(
                    cluster,
                    found -> (rules, now) ->
                            Uni.createFrom().item(rules.submissions().expire(found, now))));
        });

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(queueOf(cluster)).isEqualTo(1);
    }

    @Test
    void moreExpiredClustersThanOnePageHoldsAreAllDestroyed() {
        var clusters = 5 * JobStore.SHARDS;
        for (var i = 0; i < clusters; i++) {
            aReadyClusterWithTtl();
        }
        clock.advance(TTL);

        assertThat(pass()).isEqualTo(done(0, clusters));
    }

    // Counting and purging.

    @Test
    void aPassCountsTheJobsAndSaysSinceWhenTheOldestRunOfEachTypeRuns() {
        aRunningJob();
        clock.advance(Duration.ofMinutes(1));
        aRunningJob();
        var destroyed = aReadyClusterWithTtl();
        workshop.run(destroyed, JobType.DESTROY);
        workshop.submit(workshop.create(aCluster()).id(), JobType.CREATE);

        pass();

        assertThat(heard.counts).singleElement().satisfies(counts -> {
            assertThat(counts.queued()).containsEntry(JobType.CREATE, 1L).containsEntry(JobType.DESTROY, 0L);
            assertThat(counts.runningSince())
                    .isEqualTo(Map.of(JobType.CREATE, NOON, JobType.DESTROY, NOON.plusSeconds(60)));
        });
        assertThat(heard.notCounted).isZero();
    }

    @Test
    void aRunThatIsEndedDoesNotCountAsRunning() {
        aRunningJob();
        clock.advance(OVERDUE);

        pass();

        assertThat(heard.counts).singleElement().satisfies(counts -> assertThat(counts.runningSince())
                .isEmpty());
    }

    @Test
    void recordsWhoseRetentionIsOverArePurgedInSteps() {
        var jobs = new ArrayList<Job>();
        for (var i = 0; i < 3 * STEP_SIZE; i++) {
            jobs.add(workshop.finish(aRunningJob(), DONE));
        }
        clock.advance(KEPT.plusSeconds(1));

        pass();

        assertThat(jobs)
                .allSatisfy(job -> assertThat(await(store.findJob(job.id()))).isEmpty());
    }

    @Test
    void aPurgeThatDoesNotComeToAnEndIsContinuedByTheNextPass() {
        var steps = new AtomicInteger();
        hooked.replace("purge", arguments -> {
            steps.incrementAndGet();
            return Optional.of(Uni.createFrom().item(false));
        });

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(steps).hasValue(100);
    }

    /** Pages that come without delay must not nest. */
    @Test
    void anyNumberOfPagesCanBeRead() {
        var pages = new AtomicInteger();
        hooked.replace("running", arguments -> {
            var next = pages.incrementAndGet() % 20_000 == 0
                    ? Optional.<Cursor>empty()
                    : Optional.of(new Cursor("page " + pages));
            return Optional.of(Uni.createFrom().item(new Page<>(List.of(JobId.newAt(NOON)), next)));
        });

        assertThat(pass()).isEqualTo(done(0, 0));

        assertThat(pages).hasValue(20_000 * JobStore.SHARDS);
    }

    // When a pass does not go as planned.

    @Test
    void aReplicaThatIsNotElectedDoesNothing() {
        var job = aRunningJob();
        clock.advance(OVERDUE);
        await(embedded.locks().acquire(wants(BOB, Janitor.LOCK), clock.instant()));

        assertThat(pass()).isEqualTo(new Pass.NotElected());

        assertThat(read(job).status()).isEqualTo(JobStatus.RUNNING);
        nothingIsCounted();
    }

    @Test
    void oneJobThatCannotBeReadDoesNotStopThePass() {
        var broken = aRunningJob();
        var stuck = List.of(aRunningJob(), aRunningJob(), aRunningJob(), aRunningJob());
        clock.advance(OVERDUE);
        hooked.replace("findJob", arguments -> failing(arguments[0].equals(broken.id())));

        assertThat(pass()).isEqualTo(new Pass.Done(new Work(4, 0, 1)));

        assertThat(heard.rescued).containsOnlyKeys(stuck.stream().map(Job::id).toList());
    }

    @Test
    void oneClusterThatCannotBeWrittenDoesNotStopThePass() {
        var broken = aReadyClusterWithTtl();
        aReadyClusterWithTtl();
        clock.advance(TTL);
        hooked.replace("findCluster", arguments -> failing(arguments[0].equals(broken)));

        assertThat(pass()).isEqualTo(new Pass.Done(new Work(0, 1, 1)));
    }

    @Test
    void aShardThatCannotBeListedDoesNotHideTheOthers() {
        var jobs = new ArrayList<Job>();
        for (var i = 0; i < 8 * JobStore.SHARDS; i++) {
            jobs.add(aRunningJob());
        }
        clock.advance(OVERDUE);
        hooked.replace("running", arguments -> failing(arguments[0].equals(0)));

        pass();

        assertThat(heard.rescued)
                .containsOnlyKeys(jobs.stream()
                        .map(Job::id)
                        .filter(id -> JobStore.shardOf(id) != 0)
                        .toList());
        nothingIsCounted();
    }

    /** The oldest run may be among those that were not seen. */
    @Test
    void ifTheRunningJobsCannotBeListedClustersExpireAndNothingIsCounted() {
        aReadyClusterWithTtl();
        clock.advance(TTL);
        hooked.replace("running", arguments -> failing(true));

        assertThat(pass()).isEqualTo(new Pass.Done(new Work(0, 1, JobStore.SHARDS)));

        nothingIsCounted();
    }

    @Test
    void ifTheCountFailsRecordsArePurgedAllTheSame() {
        var job = workshop.finish(aRunningJob(), DONE);
        clock.advance(KEPT.plusSeconds(1));
        hooked.replace("count", arguments -> failing(true));

        assertThat(pass()).isEqualTo(new Pass.Done(new Work(0, 0, 1)));

        assertThat(await(store.findJob(job.id()))).isEmpty();
        nothingIsCounted();
    }

    @Test
    void aPassThatDoesNotReachTheStoreFailsAndCountsNothing() {
        embedded.close();

        assertThatThrownBy(this::pass).isInstanceOf(StoreUnavailableException.class);

        nothingIsCounted();
    }

    @Test
    void whileTheClockIsSuspectNoRunIsEndedAndNoClusterExpires() {
        var job = aRunningJob();
        var cluster = aReadyClusterWithTtl();
        clock.advance(TTL);
        hooked.replace("trustsClock", arguments -> Optional.of(false));

        assertThat(pass()).isEqualTo(new Pass.Interrupted(new Work(0, 0, 0)));

        assertThat(read(job).status()).isEqualTo(JobStatus.RUNNING);
        assertThat(queueOf(cluster)).isZero();
        nothingIsCounted();
    }

    @Test
    void theRulesRefuseToExpireAClusterByASuspectClock() {
        var cluster = await(store.findCluster(aReadyClusterWithTtl())).orElseThrow();
        var rules = new JobRules(TERMS, Fixtures.RULES.withoutTakeovers());

        assertThat(rules.submissions().expire(cluster, NOON.plus(TTL)).changes())
                .isEmpty();
    }

    @Test
    void aStoppedJanitorFinishesItsStepAndReleasesItsLock() {
        aRunningJob();
        aRunningJob();
        clock.advance(OVERDUE);
        hooked.beforeNext("commit", () -> janitor.stop());

        assertThat(pass()).isEqualTo(new Pass.Interrupted(new Work(1, 0, 0)));

        assertThat(lockStatus()).isEqualTo(LockStatus.RELEASED);
        nothingIsCounted();
    }

    @Test
    void aJanitorWhoseLockWasTakenAwayStops() {
        aRunningJob();
        aRunningJob();
        clock.advance(OVERDUE);
        hooked.beforeNext("commit", () -> {
            var token = await(embedded.locks().find(Janitor.LOCK)).orElseThrow().token();
            await(embedded.locks().forceRelease(force(Janitor.LOCK, token), clock.instant()));
            clock.advance(LOCK_TTL.dividedBy(2));
        });

        assertThat(pass()).isEqualTo(new Pass.Interrupted(new Work(1, 0, 0)));

        nothingIsCounted();
    }

    @Test
    void aLongPassRenewsItsLock() {
        aRunningJob();
        clock.advance(OVERDUE);
        hooked.beforeNext("commit", () -> clock.advance(LOCK_TTL.dividedBy(2)));

        assertThat(pass()).isEqualTo(done(1, 0));

        assertThat(await(embedded.locks().find(Janitor.LOCK))
                        .orElseThrow()
                        .lease()
                        .term()
                        .renewals())
                .isEqualTo(1);
    }

    private Janitor replica() {
        var seen = hooked.store();
        var transactions = new JobTransactions(seen, TERMS, Fixtures.RULES, KEPT, clock, heard, new JobSignals());
        var cleanup = new Cleanup(clock, (delay, task) -> Timers.Timer.NONE, 1);
        var terms = new JanitorTerms(STEP_SIZE, LOCK_TTL);
        return new Janitor(seen, transactions, heard, terms, clock, embedded.locks(), cleanup);
    }

    private Pass pass() {
        return await(janitor.pass());
    }

    private static Pass done(int rescued, int submitted) {
        return new Pass.Done(new Work(rescued, submitted, 0));
    }

    private static Optional<Object> failing(boolean fails) {
        return fails
                ? Optional.of(Uni.createFrom().failure(new StoreUnavailableException("Not now.")))
                : Optional.empty();
    }

    private Job aRunningJob() {
        return workshop.run(workshop.create(aCluster()).id(), JobType.CREATE);
    }

    private ClusterId aReadyClusterWithTtl() {
        var cluster = workshop.create(living(TTL)).id();
        workshop.finish(workshop.run(cluster, JobType.CREATE), DONE);
        return cluster;
    }

    private JobId onlyRunning() {
        for (var shard = 0; ; shard++) {
            var page = await(store.running(shard, 1, Optional.empty()));
            if (!page.items().isEmpty()) {
                return page.items().getFirst();
            }
        }
    }

    private Job read(Job job) {
        return await(store.findJob(job.id())).orElseThrow();
    }

    private String errorOf(Job job) {
        return read(job)
                .lastRun()
                .flatMap(Run::end)
                .flatMap(Run.End::error)
                .orElseThrow()
                .code();
    }

    private ClusterStatus statusOf(ClusterId id) {
        return await(store.findCluster(id)).orElseThrow().status();
    }

    private int queueOf(ClusterId id) {
        return await(store.findCluster(id)).orElseThrow().queue().size();
    }

    private LockStatus lockStatus() {
        return await(embedded.locks().find(Janitor.LOCK)).orElseThrow().statusAt(clock.instant());
    }

    private void nothingIsCounted() {
        assertThat(heard.counts).isEmpty();
        assertThat(heard.notCounted).isEqualTo(1);
    }
}
