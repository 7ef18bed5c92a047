package io.holdfast.job.port;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.JANITOR_DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DEADLINE;
import static io.holdfast.job.port.JobFixtures.LEASE;
import static io.holdfast.job.port.JobFixtures.OTHER_WORKER;
import static io.holdfast.job.port.JobFixtures.RETRY_DELAY;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.TRANSIENT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.LockType;
import io.holdfast.lock.port.AcquireOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claiming a job, repeating a claim and undoing it. */
class ClaimRulesTest {
    private final JobWorld world = new JobWorld(RULES, aCluster(), NOON);

    // Claiming.

    @Test
    void aClaimStartsARunUnderTheLockOfTheCluster() {
        var submitted = world.submit(CREATE);

        var outcome = (ClaimOutcome.Claimed) world.tryClaim(submitted, WORKER);

        var lease = world.lock.orElseThrow().lease();
        var run = outcome.job().currentRun().orElseThrow();
        assertThat(run.epoch()).isEqualTo(lease.token().value());
        assertThat(run.lockId()).isEqualTo(lease.id());
        assertThat(run.attempt()).isEqualTo(1);
        assertThat(run.worker()).isEqualTo(WORKER);
        assertThat(run.leaseUntil()).isEqualTo(world.now.plus(LEASE)).isEqualTo(lease.expiresAt());
        assertThat(run.deadline()).isEqualTo(world.now.plus(DEADLINE));
        assertThat(outcome.cluster()).isEqualTo(world.cluster);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.CREATING);
        assertThat(world.cluster.lastStarted()).contains(submitted.id());
        assertThat(world.workers).containsEntry(WORKER, submitted.id());
    }

    @Test
    void theLeaseOfAShortJobEndsAtItsDeadline() {
        var asked = new NewJob(CREATE, "{}", Optional.empty(), Optional.of(Duration.ofMinutes(7)));
        var job = ((SubmitOutcome.Submitted) world.trySubmit(asked)).job();

        var run = world.claim(job, WORKER).currentRun().orElseThrow();

        assertThat(run.leaseUntil()).isEqualTo(run.deadline()).isEqualTo(world.now.plusSeconds(420));
    }

    @Test
    void onlyTheFirstJobOfAQueueIsClaimed() {
        var create = world.submit(CREATE);
        var destroy = world.submit(DESTROY);

        assertThat(world.tryClaim(destroy, WORKER)).isEqualTo(new ClaimOutcome.NotClaimable());
        world.claim(create, WORKER);
        assertThat(world.tryClaim(destroy, OTHER_WORKER)).isEqualTo(new ClaimOutcome.NotClaimable());
        assertThat(world.tryClaim(create, OTHER_WORKER)).isEqualTo(new ClaimOutcome.NotClaimable());
    }

    @Test
    void aJobIsNotClaimedBeforeItIsDue() {
        var waiting = world.run(CREATE, TRANSIENT);

        assertThat(world.tryClaim(waiting, WORKER)).isEqualTo(new ClaimOutcome.NotClaimable());
        world.wait(JobFixtures.RETRY_DELAY);
        assertThat(world.claim(waiting, WORKER).currentRun().orElseThrow().attempt())
                .isEqualTo(2);
    }

    @Test
    void aJobIsNotClaimedWhileAClientHoldsTheLock() {
        var job = world.submit(CREATE);
        var held = RULES.locks()
                .acquire(Optional.empty(), wants(ADA, world.cluster.id().lock()), world.now);
        world.lock = held.write();

        assertThat(world.tryClaim(job, WORKER))
                .isInstanceOfSatisfying(ClaimOutcome.Locked.class, locked -> assertThat(locked.lock())
                        .isInstanceOf(AcquireOutcome.HeldByAnother.class));
        assertThat(world.job(job)).isEqualTo(job);
    }

    /** A client may use the owner of the worker. Its lease must not become the lease of a run. */
    @Test
    void aJobIsNotClaimedWhileAClientWithTheNameOfTheWorkerHoldsTheLock() {
        var job = world.submit(CREATE);
        var asked = wants(WORKER.owner(), world.cluster.id().lock());
        world.lock = RULES.locks().acquire(Optional.empty(), asked, world.now).write();
        var held = world.lock;

        assertThat(world.tryClaim(job, WORKER))
                .isInstanceOfSatisfying(ClaimOutcome.Locked.class, locked -> assertThat(locked.lock())
                        .isInstanceOf(AcquireOutcome.AlreadyHeld.class));
        assertThat(world.lock).isEqualTo(held);
    }

    @Test
    void theLockTellsWhichJobHoldsIt() {
        var job = world.claim(world.submit(CREATE), WORKER);

        var labels = world.lock.orElseThrow().lease().labels();

        assertThat(labels.type()).isEqualTo(LockType.CLUSTER);
        assertThat(labels.metadata()).isEqualTo(Map.of("job_id", job.id().value(), "job_type", "CREATE"));
    }

    /** Endings free the queue before. This is for a status that was changed in another way. */
    @Test
    void jobsThatTheStatusDoesNotAllowEndWhenTheirTurnComes() {
        var first = world.in(ClusterStatus.READY).submit(DESTROY);
        var second = world.submit(DESTROY);
        world.in(ClusterStatus.DESTROYED);

        assertThat(world.tryClaim(first, WORKER)).isInstanceOfSatisfying(ClaimOutcome.Ended.class, ended -> assertThat(
                        ended.job().id())
                .isEqualTo(first.id()));

        for (var ended : List.of(first, second)) {
            assertThat(world.job(ended).status()).isEqualTo(JobStatus.FAILED);
            assertThat(errorOf(ended)).isEqualTo(JobError.ILLEGAL_STATE);
        }
        assertThat(world.cluster.queue()).isEmpty();
        assertThat(world.cluster.endedJobs()).containsExactly(second.id(), first.id());
        assertThat(world.lock).isEmpty();
    }

    @Test
    void aJobThatWouldTakeTheNameOfAnotherClusterEnds() {
        var destroy = world.in(ClusterStatus.FAILED).submit(DESTROY);
        var other = JobId.newAt(NOON);

        assertThat(RULES.claims().refuseForName(world.seen(), other, world.now).outcome())
                .isEqualTo(new ClaimOutcome.NotClaimable());
        assertThat(world.applied(RULES.claims().refuseForName(world.seen(), destroy.id(), world.now)))
                .isInstanceOf(ClaimOutcome.Ended.class);

        assertThat(errorOf(destroy)).isEqualTo(JobError.NAME_TAKEN);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
    }

    @Test
    void onlyTheFirstJobEndsBecauseOfTheName() {
        var first = world.in(ClusterStatus.FAILED).submit(DESTROY);
        var second = world.submit(DESTROY);

        assertThat(RULES.claims().refuseForName(world.seen(), second.id(), world.now))
                .isEqualTo(Decision.refuse(new ClaimOutcome.NotClaimable()));
        world.claim(first, WORKER);
        assertThat(RULES.claims().refuseForName(world.seen(), first.id(), world.now))
                .isEqualTo(Decision.refuse(new ClaimOutcome.NotClaimable()));
    }

    @Test
    void theJanitorMaySubmitAgainIfItsDestroyEndsBecauseOfTheName() {
        var destroy = world.in(ClusterStatus.FAILED).submit(JANITOR_DESTROY);
        world.cluster = world.cluster.withExpiryHandled(true);

        world.applied(RULES.claims().refuseForName(world.seen(), destroy.id(), world.now));

        assertThat(world.cluster.life().expiryHandled()).isFalse();
    }

    @Test
    void theFirstEpochIsAboveTheFloorOfTheStore() {
        var job = world.submit(CREATE);
        var floor = FencingToken.firstAt(NOON.plusSeconds(3600)).value();
        var seen = new Snapshot(world.cluster, world.seen().jobs(), Optional.empty(), floor);

        var claimed = (ClaimOutcome.Claimed)
                RULES.claims().claim(seen, job.id(), WORKER, world.now).outcome();

        assertThat(claimed.job().lastRun().orElseThrow().epoch()).isEqualTo(floor + 1);
    }

    // Claims that no worker was told of, and claims that are repeated.

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "WAITING"})
    void anUnclaimedJobIsAsItWasBefore(JobStatus status) {
        if (status == JobStatus.WAITING) {
            world.run(CREATE, TRANSIENT);
            world.wait(JobFixtures.RETRY_DELAY);
        } else {
            world.submit(CREATE);
        }
        var before = world.job(world.cluster.head().orElseThrow().id());
        var cluster = world.cluster;
        var claimed = (ClaimOutcome.Claimed) world.tryClaim(before, WORKER);

        assertThat(world.applied(RULES.claims().unclaim(world.seen(), claimed.job(), claimed.before(), world.now)))
                .isPresent();

        assertThat(world.job(before))
                .usingRecursiveComparison()
                .ignoringFields("version")
                .isEqualTo(before);
        assertThat(world.cluster)
                .usingRecursiveComparison()
                .ignoringFields("version", "life.updatedAt")
                .isEqualTo(cluster);
        assertThat(world.lock.orElseThrow().end()).isPresent();
        assertThat(world.workers).isEmpty();
        assertThat(world.claim(before, OTHER_WORKER).lastRun().orElseThrow().epoch())
                .isGreaterThan(claimed.job().lastRun().orElseThrow().epoch());
    }

    @Test
    void aClaimThatWasUsedIsNotUndone() {
        var claimed = (ClaimOutcome.Claimed) world.tryClaim(world.submit(CREATE), WORKER);
        world.heartbeat(claimed.job());

        assertThat(world.applied(RULES.claims().unclaim(world.seen(), claimed.job(), claimed.before(), world.now)))
                .isEmpty();
        assertThat(world.job(claimed.job()).status()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void aRepeatedClaimTellsOfTheSameRunAndIsNotUndoneByTheFirst() {
        var claimed = (ClaimOutcome.Claimed) world.tryClaim(world.submit(CREATE), WORKER);

        var again = world.applied(
                RULES.claims().claimAgain(world.seen(), claimed.job().id(), WORKER, world.now));

        assertThat(again).isInstanceOfSatisfying(ClaimOutcome.ClaimedBefore.class, before -> assertThat(
                        before.job().runs())
                .isEqualTo(claimed.job().runs()));
        assertThat(world.applied(RULES.claims().unclaim(world.seen(), claimed.job(), claimed.before(), world.now)))
                .isEmpty();
    }

    @Test
    void aRepeatedClaimRenewsTheLease() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.wait(Duration.ofMinutes(10));

        world.applied(RULES.claims().claimAgain(world.seen(), claimed.id(), WORKER, world.now));

        var run = world.job(claimed).currentRun().orElseThrow();
        assertThat(run.leaseUntil()).isEqualTo(world.now.plus(LEASE));
        assertThat(world.lock.orElseThrow().lease().expiresAt()).isEqualTo(world.now.plus(LEASE));
    }

    @Test
    void aClaimIsNotRepeatedToAnotherWorkerOrAfterItsLease() {
        var claimed = world.claim(world.submit(CREATE), WORKER);

        assertThat(RULES.claims()
                        .claimAgain(world.seen(), claimed.id(), OTHER_WORKER, world.now)
                        .outcome())
                .isEqualTo(new ClaimOutcome.NotClaimable());
        assertThat(RULES.claims()
                        .claimAgain(world.seen(), claimed.id(), WORKER, world.now.plus(LEASE))
                        .outcome())
                .isEqualTo(new ClaimOutcome.WorkerBusy(claimed.id()));
    }

    /** Two processes with one name must not run the same job. */
    @Test
    void aClaimIsNotRepeatedAfterAHeartbeat() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.applied(RULES.runs()
                .heartbeat(
                        world.seen(),
                        claimed,
                        claimed.currentRun().orElseThrow().epoch(),
                        Optional.empty(),
                        world.now));

        assertThat(RULES.claims()
                        .claimAgain(world.seen(), claimed.id(), WORKER, world.now)
                        .outcome())
                .isEqualTo(new ClaimOutcome.WorkerBusy(claimed.id()));
    }

    @Test
    void aScaleWhoseClaimIsUndoneAfterADestroyWasSubmittedIsSuperseded() {
        world.in(ClusterStatus.READY);
        var scale = world.submit(SCALE_WORKERS);
        var claimed = (ClaimOutcome.Claimed) world.tryClaim(scale, WORKER);
        var destroy = world.submit(DESTROY);

        assertThat(world.applied(RULES.claims().unclaim(world.seen(), claimed.job(), claimed.before(), world.now)))
                .isPresent();

        assertThat(world.job(scale).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(world.job(scale).end().flatMap(Job.End::error).map(JobError::code))
                .contains(JobError.SUPERSEDED);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.READY);
        assertThat(world.cluster.head().map(QueuedJob::id)).contains(destroy.id());
    }

    @Test
    void aScaleWhoseRetryIsUndoneAfterADestroyWasSubmittedKeepsItsPlace() {
        world.in(ClusterStatus.READY);
        var scale = world.finish(world.claim(world.submit(SCALE_WORKERS), WORKER), TRANSIENT);
        world.wait(RETRY_DELAY);
        var claimed = (ClaimOutcome.Claimed) world.tryClaim(scale, WORKER);
        world.submit(DESTROY);

        assertThat(world.applied(RULES.claims().unclaim(world.seen(), claimed.job(), claimed.before(), world.now)))
                .isPresent();

        assertThat(world.job(scale).status()).isEqualTo(JobStatus.WAITING);
        assertThat(world.cluster.head().map(QueuedJob::id)).contains(scale.id());
    }

    @Test
    void aClaimThatIsUndoneAfterACancelEndsTheJob() {
        var job = world.submit(CREATE);
        var claimed = (ClaimOutcome.Claimed) world.tryClaim(job, WORKER);
        world.applied(RULES.operator().cancel(world.seen(), world.job(job), "not wanted", world.now));

        assertThat(world.applied(RULES.claims().unclaim(world.seen(), claimed.job(), claimed.before(), world.now)))
                .isPresent();

        assertThat(world.job(job).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.PENDING);
        assertThat(world.cluster.queue()).isEmpty();
    }

    private String errorOf(Job job) {
        return world.job(job).end().flatMap(Job.End::error).orElseThrow().code();
    }
}
