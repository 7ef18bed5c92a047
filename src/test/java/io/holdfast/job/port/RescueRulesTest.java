package io.holdfast.job.port;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.LEASE;
import static io.holdfast.job.port.JobFixtures.OTHER_WORKER;
import static io.holdfast.job.port.JobFixtures.OVERDUE;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.TERMS;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.force;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.Run;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.Fixtures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The janitor's rescue of a run. */
class RescueRulesTest {
    private final JobWorld world = new JobWorld(RULES, aCluster(), NOON);

    @Test
    void aRunWhoseLeaseIsOverdueEndsAndIsRetried() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.wait(OVERDUE);

        var outcome = world.rescue(claimed);

        var job = world.job(claimed);
        assertThat(outcome)
                .isEqualTo(new RescueOutcome.Rescued(job, claimed.lastRun().orElseThrow()));
        assertThat(job.status()).isEqualTo(JobStatus.WAITING);
        assertThat(lastEnd(job).result()).isEqualTo(Run.Result.TIMED_OUT);
        assertThat(lastEnd(job).error().orElseThrow().code()).isEqualTo(JobError.WORKER_TIMEOUT);
        assertThat(job.dueAt()).isEqualTo(world.now.plus(Duration.ofMinutes(5)));
        assertThat(world.lock.orElseThrow().end()).isPresent();
        assertThat(world.workers).isEmpty();
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.CREATING);
    }

    @Test
    void theLastRunThatTimesOutMakesTheJobDead() {
        var job = world.submit(CREATE);
        for (var i = 0; i < TERMS.attemptsMax(); i++) {
            var claimed = world.claim(job, WORKER);
            world.wait(OVERDUE);
            world.rescue(claimed);
            world.wait(Duration.ofMinutes(30));
        }

        assertThat(world.job(job).status()).isEqualTo(JobStatus.DEAD);
        assertThat(error(job)).isEqualTo(JobError.WORKER_TIMEOUT);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
    }

    @Test
    void aRunIsAliveUntilItsLeaseIsOverdue() {
        var claimed = world.claim(world.submit(CREATE), WORKER);

        for (var age : List.of(Duration.ZERO, LEASE.minusMillis(1), LEASE, OVERDUE.minusMillis(1))) {
            assertThat(RULES.rescues()
                            .rescue(world.seen(), claimed, world.now.plus(age))
                            .outcome())
                    .as("after %s", age)
                    .isEqualTo(new RescueOutcome.Alive());
        }
    }

    @Test
    void aRunWithAHeartbeatSinceTheJanitorLookedIsAlive() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.wait(Duration.ofMinutes(30));
        world.heartbeat(claimed);
        world.wait(OVERDUE);

        assertThat(world.rescue(claimed)).isEqualTo(new RescueOutcome.Alive());
        assertThat(world.rescue(world.job(claimed))).isInstanceOf(RescueOutcome.Rescued.class);
    }

    @Test
    void aJobThatHasEndedIsNotRescued() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var done = world.finish(claimed, DONE);
        world.wait(OVERDUE);

        assertThat(world.rescue(claimed)).isEqualTo(new RescueOutcome.Alive());
        assertThat(world.rescue(done)).isEqualTo(new RescueOutcome.Alive());
    }

    @Test
    void aRunAtItsDeadlineHasExceededIt() {
        var asked = new NewJob(CREATE, "{}", Optional.empty(), Optional.of(Duration.ofMinutes(90)));
        var claimed = world.claim(((SubmitOutcome.Submitted) world.trySubmit(asked)).job(), WORKER);
        world.wait(Duration.ofMinutes(45));
        world.heartbeat(claimed);
        world.wait(OVERDUE);

        world.rescue(world.job(claimed));

        assertThat(lastEnd(world.job(claimed)).error().orElseThrow().code()).isEqualTo(JobError.DEADLINE_EXCEEDED);
    }

    @Test
    void aRunWithoutItsLockEndsForGood() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        forceRelease();

        assertThat(world.rescue(claimed)).isInstanceOf(RescueOutcome.Rescued.class);

        assertThat(world.job(claimed).status()).isEqualTo(JobStatus.FAILED);
        assertThat(error(claimed)).isEqualTo(JobError.LOCK_STATE_LOST);
        assertThat(lastEnd(world.job(claimed)).result()).isEqualTo(Run.Result.LOCK_LOST);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
        assertThat(world.workers).isEmpty();
    }

    @Test
    void aRunWhoseLockHasNoRecordEndsForGood() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.lock = Optional.empty();

        world.rescue(claimed);

        assertThat(error(claimed)).isEqualTo(JobError.LOCK_STATE_LOST);
        assertThat(world.lock).isEmpty();
    }

    /** The worker may still be at work, so the lock alone does not keep the next job from starting. */
    @Test
    void afterALostLockNoJobStartsBeforeTheLeaseEnds() {
        var claimed = world.in(ClusterStatus.READY).claim(world.submit(DESTROY), WORKER);
        var next = world.submit(DESTROY);
        var leaseUntil = claimed.currentRun().orElseThrow().leaseUntil();
        world.lock = Optional.empty();

        world.rescue(claimed);

        assertThat(world.cluster.life().closedUntil()).contains(leaseUntil.plus(SKEW));
        world.now = leaseUntil.plus(SKEW).minusMillis(1);
        assertThat(world.tryClaim(next, OTHER_WORKER)).isEqualTo(new ClaimOutcome.NotClaimable());
        world.now = leaseUntil.plus(SKEW);
        world.claim(next, OTHER_WORKER);
    }

    /** Any client that knows the lock_id can release the lock. That is not the decision of an operator. */
    @Test
    void afterAReleaseByAClientNoJobStartsBeforeTheLeaseEnds() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var run = claimed.currentRun().orElseThrow();
        world.lock = RULES.locks()
                .release(world.lock, run.claim(world.cluster.id()), world.now)
                .write();

        world.rescue(claimed);

        assertThat(world.cluster.life().closedUntil()).contains(run.leaseUntil().plus(SKEW));
    }

    @Test
    void afterAForceReleaseTheNextJobStartsAtOnce() {
        var claimed = world.in(ClusterStatus.READY).claim(world.submit(DESTROY), WORKER);
        var next = world.submit(DESTROY);
        forceRelease();

        world.rescue(claimed);

        assertThat(world.cluster.life().closedUntil()).isEmpty();
        world.claim(next, OTHER_WORKER);
    }

    /** If the lock comes back between the read and the write, the rescue is decided again. */
    @Test
    void theRescueOfARunWithoutItsLockDependsOnTheLock() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.lock = Optional.empty();

        var changes = RULES.rescues()
                .rescue(world.seen(), claimed, world.now)
                .changes()
                .orElseThrow();

        assertThat(changes.lock())
                .contains(new LockStep.Unchanged(world.cluster.id().lock(), Optional.empty()));
    }

    @Test
    void aLaterLeaseWithTheSameLockIdIsNotTheRuns() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var run = claimed.currentRun().orElseThrow();
        forceRelease();
        acquired(world.lock, new LeaseRef(world.cluster.id().lock(), run.lockId(), WORKER.owner()));

        world.rescue(claimed);

        assertThat(error(claimed)).isEqualTo(JobError.LOCK_STATE_LOST);
    }

    /** The record was lost, and the first token of a new record is the same. */
    @Test
    void aLeaseWithTheSameTokenAndAnotherLockIdIsNotTheRuns() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        acquired(Optional.empty(), new LeaseRef(world.cluster.id().lock(), LockId.random(), WORKER.owner()));
        assertThat(world.lock.orElseThrow().token().value()).isEqualTo(JobWorld.epoch(claimed));

        world.rescue(claimed);

        assertThat(error(claimed)).isEqualTo(JobError.LOCK_STATE_LOST);
    }

    /** From then on the worker has timed out, and its job may be tried again. */
    @Test
    void aRunWhoseLeaseHasJustExpiredHasNotLostItsLock() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        forceRelease();
        world.wait(LEASE);

        assertThat(world.rescue(claimed)).isEqualTo(new RescueOutcome.Alive());
    }

    private void acquired(Optional<LockRecord> before, LeaseRef ref) {
        world.lock = RULES.locks()
                .acquire(before, AcquireRequest.once(ref, Fixtures.TTL, Labels.NONE), world.now)
                .write();
    }

    private void forceRelease() {
        var lock = world.lock.orElseThrow();
        world.lock = RULES.locks()
                .forceRelease(world.lock, force(lock.name(), lock.token()), world.now)
                .write();
    }

    /** The client took the lock after the lease had expired, and holds it now. */
    @Test
    void theLockOfAClientIsNotReleased() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.wait(OVERDUE);
        var client =
                RULES.locks().acquire(world.lock, wants(ADA, world.cluster.id().lock()), world.now);
        world.lock = client.write();

        world.rescue(claimed);

        assertThat(world.job(claimed).status()).isEqualTo(JobStatus.WAITING);
        assertThat(world.lock).isEqualTo(client.write());
    }

    /** An expired lease may be taken over. The worker has timed out then, and its lock was not lost. */
    @Test
    void aRunWhoseLockWasTakenOverIsAliveUntilItsLeaseIsOverdue() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.wait(LEASE.plus(SKEW).plusMillis(1));
        world.lock = RULES.locks()
                .acquire(world.lock, wants(ADA, world.cluster.id().lock()), world.now)
                .write();

        assertThat(world.rescue(claimed)).isEqualTo(new RescueOutcome.Alive());
    }

    @Test
    void whileTheClockIsSuspectEveryRunIsAlive() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var suspect = new JobRules(TERMS, Fixtures.RULES.withoutTakeovers());

        assertThat(suspect.rescues()
                        .rescue(world.seen(), claimed, world.now.plus(OVERDUE))
                        .outcome())
                .isEqualTo(new RescueOutcome.Alive());
    }

    private String error(Job job) {
        return world.job(job).end().flatMap(Job.End::error).orElseThrow().code();
    }

    private static Run.End lastEnd(Job job) {
        return job.lastRun().flatMap(Run::end).orElseThrow();
    }
}
