package io.holdfast.job.port;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DEADLINE;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.LEASE;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.THROTTLED;
import static io.holdfast.job.port.JobFixtures.TRANSIENT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.force;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Progress;
import io.holdfast.job.model.Run;
import io.holdfast.lock.port.Fixtures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Heartbeats, and the ends that a worker reports. */
class RunRulesTest {
    private final JobWorld world = new JobWorld(RULES, aCluster(), NOON);

    // Heartbeats.

    @Test
    void aHeartbeatExtendsTheLease() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.wait(Duration.ofMinutes(59));

        var outcome = world.heartbeat(claimed);

        var run = world.job(claimed).currentRun().orElseThrow();
        assertThat(outcome).isEqualTo(new HeartbeatOutcome.Extended(world.job(claimed)));
        assertThat(run.heartbeatAt()).isEqualTo(world.now);
        assertThat(run.leaseUntil()).isEqualTo(world.now.plus(LEASE));
        assertThat(world.lock.orElseThrow().lease().expiresAt()).isEqualTo(world.now.plus(LEASE));
    }

    @Test
    void aHeartbeatReportsProgressAndOneWithoutKeepsIt() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var progress = Optional.of(new Progress(Optional.of(40), Optional.of("half way")));
        world.applied(
                RULES.runs().heartbeat(world.seen(), world.job(claimed), JobWorld.epoch(claimed), progress, world.now));

        world.heartbeat(claimed);

        assertThat(world.job(claimed).currentRun().orElseThrow().progress()).isEqualTo(progress);
    }

    @Test
    void aHeartbeatDoesNotExtendTheLeaseBeyondTheDeadline() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var deadline = world.now.plus(DEADLINE);
        for (var i = 0; i < 5; i++) {
            world.wait(Duration.ofMinutes(30));
            world.heartbeat(claimed);
        }
        world.wait(Duration.ofMinutes(29));

        assertThat(world.heartbeat(claimed)).isInstanceOf(HeartbeatOutcome.Extended.class);

        assertThat(world.job(claimed).currentRun().orElseThrow().leaseUntil()).isEqualTo(deadline);
        assertThat(world.lock.orElseThrow().lease().expiresAt()).isEqualTo(deadline);
        world.now = deadline;
        refusesReports(claimed);
    }

    @Test
    void anExpiredLeaseRefusesHeartbeatAndFinish() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        world.wait(LEASE);

        refusesReports(claimed);
    }

    @Test
    void aLockThatWasFreedByForceRefusesHeartbeatAndFinish() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var lock = world.lock.orElseThrow();
        world.lock = RULES.locks()
                .forceRelease(world.lock, force(lock.name(), lock.token()), world.now)
                .write();

        refusesReports(claimed);
    }

    /** No lease expires while the clock is suspect, but a run must not outlive its deadline. */
    @Test
    void whileTheClockIsSuspectTheDeadlineStillRefusesHeartbeats() {
        var asked = new NewJob(CREATE, "{}", Optional.empty(), Optional.of(Duration.ofMinutes(7)));
        var claimed = world.claim(((SubmitOutcome.Submitted) world.trySubmit(asked)).job(), WORKER);
        var suspect = new JobRules(JobFixtures.TERMS, Fixtures.RULES.withoutTakeovers());
        var deadline = claimed.currentRun().orElseThrow().deadline();

        var decision =
                suspect.runs().heartbeat(world.seen(), claimed, JobWorld.epoch(claimed), Optional.empty(), deadline);

        assertThat(decision).isEqualTo(Decision.refuse(new HeartbeatOutcome.StaleEpoch(claimed)));
    }

    @Test
    void anEarlierRunIsRefusedWhileTheNextOneRuns() {
        var first = world.claim(world.submit(CREATE), WORKER);
        world.wait(LEASE.plus(Duration.ofMinutes(10)));
        world.rescue(first);
        world.wait(Duration.ofMinutes(5));
        var second = world.claim(first, JobFixtures.OTHER_WORKER);

        refusesReports(first);

        assertThat(world.heartbeat(second)).isInstanceOf(HeartbeatOutcome.Extended.class);
    }

    private void refusesReports(Job claimed) {
        var job = world.job(claimed);
        var cluster = world.cluster;
        var lock = world.lock;

        assertThat(world.heartbeat(claimed)).isEqualTo(new HeartbeatOutcome.StaleEpoch(job));
        for (var finish : List.of(DONE, TRANSIENT, PERMANENT)) {
            assertThat(world.tryFinish(claimed, finish)).isEqualTo(new FinishOutcome.StaleEpoch(job));
        }

        assertThat(world.job(claimed)).isEqualTo(job);
        assertThat(world.cluster).isEqualTo(cluster);
        assertThat(world.lock).isEqualTo(lock);
    }

    // Success.

    @ParameterizedTest
    @CsvSource({
        "CREATE, PENDING, READY",
        "SCALE_WORKERS, READY, READY",
        "DESTROY, READY, DESTROYED",
        "DESTROY, FAILED, DESTROYED",
        "JANITOR_DESTROY, READY, DESTROYED",
        "JANITOR_DESTROY, FAILED, DESTROYED"
    })
    void aCompletedJobSetsTheFinalStatus(JobType type, ClusterStatus from, ClusterStatus to) {
        var claimed = world.in(from).claim(world.submit(type), WORKER);
        assertThat(world.cluster.status()).isEqualTo(type.during());

        var done = world.finish(claimed, DONE);

        assertThat(done.status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(done.end()).contains(new Job.End(world.now, Optional.empty(), Optional.of("{\"nodes\":3}")));
        assertThat(done.lastRun().flatMap(Run::end).map(Run.End::result)).contains(Run.Result.COMPLETED);
        assertThat(world.cluster.status()).isEqualTo(to);
        assertThat(world.cluster.queue()).isEmpty();
        assertThat(world.cluster.endedJobs()).containsExactly(done.id());
        assertThat(world.lock.orElseThrow().end()).isPresent();
        assertThat(world.workers).isEmpty();
    }

    @Test
    void ofThreeDestroysOneRunsAndTwoEndGracefully() {
        world.in(ClusterStatus.READY);
        var jobs = List.of(world.submit(DESTROY), world.submit(DESTROY), world.submit(DESTROY));

        world.finish(world.claim(jobs.getFirst(), WORKER), DONE);

        assertThat(jobs)
                .extracting(job -> world.job(job).status())
                .containsExactly(JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.FAILED);
        assertThat(jobs.subList(1, 3))
                .extracting(job -> world.job(job)
                        .end()
                        .flatMap(Job.End::error)
                        .orElseThrow()
                        .code())
                .containsOnly(JobError.ILLEGAL_STATE);
        assertThat(world.cluster.queue()).isEmpty();
    }

    @Test
    void aDestroyThatFailsIsFollowedByTheNext() {
        world.in(ClusterStatus.READY);
        var first = world.submit(DESTROY);
        var second = world.submit(DESTROY);

        world.finish(world.claim(first, WORKER), PERMANENT);

        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
        assertThat(world.finish(world.claim(second, WORKER), DONE).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.DESTROYED);
    }

    @ParameterizedTest
    @EnumSource
    void repeatingTheOwnFinishChangesNothing(Reported reported) {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var finished = world.finish(claimed, reported.finish);

        assertThat(world.tryFinish(claimed, reported.finish)).isEqualTo(new FinishOutcome.FinishedBefore(finished));
        assertThat(world.heartbeat(claimed)).isEqualTo(new HeartbeatOutcome.StaleEpoch(finished));
        assertThat(world.job(claimed)).isEqualTo(finished);
    }

    /** Also after the next run has begun. */
    @Test
    void repeatingTheFinishOfAnEarlierRunChangesNothing() {
        var first = world.claim(world.submit(CREATE), WORKER);
        world.finish(first, TRANSIENT);
        world.wait(Duration.ofMinutes(5));
        var second = world.claim(first, WORKER);

        assertThat(world.tryFinish(first, TRANSIENT)).isEqualTo(new FinishOutcome.FinishedBefore(second));
        assertThat(world.tryFinish(first, DONE)).isEqualTo(new FinishOutcome.StaleEpoch(second));
    }

    @Test
    void aDifferentFinishThanTheFirstIsRefused() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var finished = world.finish(claimed, PERMANENT);

        assertThat(world.tryFinish(claimed, DONE)).isEqualTo(new FinishOutcome.StaleEpoch(finished));
    }

    enum Reported {
        COMPLETE(DONE),
        RETRYABLE(TRANSIENT),
        FOR_GOOD(PERMANENT);

        private final Finish finish;

        Reported(Finish finish) {
            this.finish = finish;
        }
    }

    // Failure.

    @Test
    void aPermanentFailureEndsTheJobAndFailsTheCluster() {
        var claimed = world.in(ClusterStatus.READY).claim(world.submit(SCALE_WORKERS), WORKER);
        var next = world.submit(SCALE_WORKERS);

        var failed = world.finish(claimed, PERMANENT);

        assertThat(failed.status()).isEqualTo(JobStatus.FAILED);
        assertThat(failed.end().flatMap(Job.End::error).map(JobError::code)).contains("QUOTA");
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
        assertThat(world.lock.orElseThrow().end()).isPresent();
        assertThat(world.workers).isEmpty();
        // A change of a failed cluster is not possible.
        assertThat(world.job(next).status()).isEqualTo(JobStatus.FAILED);
    }

    @Test
    void aTransientFailureIsRetriedAfterFiveAndTenMinutesAndThenTheJobIsDead() {
        var claimed = world.claim(world.submit(CREATE), WORKER);
        var next = world.submit(DESTROY);
        for (var pause : List.of(Duration.ofMinutes(5), Duration.ofMinutes(10))) {
            var waiting = world.finish(claimed, TRANSIENT);
            assertThat(waiting.status()).isEqualTo(JobStatus.WAITING);
            assertThat(waiting.dueAt()).isEqualTo(world.now.plus(pause));
            assertThat(waiting.lastRun().flatMap(Run::end))
                    .contains(new Run.End(
                            world.now, Run.Result.FAILED, Optional.of(THROTTLED), Optional.of(world.now.plus(pause))));
            assertThat(world.cluster.status()).isEqualTo(ClusterStatus.CREATING);
            assertThat(world.lock.orElseThrow().end()).isPresent();
            assertThat(world.workers).isEmpty();
            world.wait(pause);
            claimed = world.claim(waiting, WORKER);
        }

        var dead = world.finish(claimed, TRANSIENT);

        assertThat(dead.status()).isEqualTo(JobStatus.DEAD);
        assertThat(dead.attempts()).isEqualTo(new Job.Attempts(3, 3, 0));
        assertThat(dead.end()).contains(new Job.End(world.now, Optional.of(THROTTLED), Optional.empty()));
        assertThat(world.cluster.status()).isEqualTo(ClusterStatus.FAILED);
        // The queue goes on.
        assertThat(world.finish(world.claim(next, WORKER), DONE).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void pausesDoubleUpToTheirMaximum() {
        assertThat(List.of(1, 2, 3, 4, 5, 60))
                .extracting(JobFixtures.TERMS::pauseBefore)
                .extracting(Duration::toMinutes)
                .containsExactly(5L, 10L, 20L, 30L, 30L, 30L);
    }

    @Test
    void eachEpochIsHigherThanTheLast() {
        var first = world.claim(world.submit(CREATE), WORKER);
        world.finish(first, TRANSIENT);
        world.wait(Duration.ofMinutes(5));

        assertThat(JobWorld.epoch(world.claim(first, WORKER))).isGreaterThan(JobWorld.epoch(first));
    }
}
