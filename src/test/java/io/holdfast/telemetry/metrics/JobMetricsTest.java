package io.holdfast.telemetry.metrics;

import static io.holdfast.job.port.JobFixtures.DEADLINE;
import static io.holdfast.job.port.JobFixtures.LEASE;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.aJob;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.JobCounts;
import io.holdfast.job.port.JobListener;
import io.holdfast.job.port.JobListener.Contention;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockType;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobMetricsTest {
    private static final Duration RAN = Duration.ofMinutes(7);
    private static final JobCounts COUNTS = new JobCounts(
                    Map.of(JobType.CREATE, 3L),
                    Map.of(JobType.CREATE, NOON.minusSeconds(90)),
                    2,
                    Optional.of(NOON.minusSeconds(4000)))
            .withRunningSince(Map.of(JobType.DESTROY, NOON.minusMillis(5_400_500)));

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> passedOn = new ArrayList<>();
    private final LockMetrics locks = new LockMetrics(registry);
    private final JobMetrics metrics = new JobMetrics(registry, recording());

    @ParameterizedTest
    @EnumSource(JobType.class)
    void everySubmissionIsCountedFromZero(JobType type) {
        assertThat(counter("jobs.submitted", "job_type", text(type))).isZero();

        metrics.submitted(aJob(type, NOON));

        assertThat(counter("jobs.submitted", "job_type", text(type))).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Run.Result.class)
    void everyResultOfARunIsCountedFromZeroWithItsDuration(Run.Result result) {
        var job = aJob(JobType.SCALE_WORKERS, NOON);
        assertThat(attempts(result)).isZero();

        metrics.finished(job, ended(result));

        assertThat(attempts(result)).isEqualTo(1);
        assertThat(minutes(registry.get("jobs.running.duration")
                        .tag("job_type", "scale_workers")
                        .timer()))
                .isEqualTo(RAN.toMinutes());
    }

    @Test
    void aRunThatAWorkerEndedHeldItsLockUntilThen() {
        metrics.finished(aJob(JobType.CREATE, NOON), ended(Run.Result.FAILED));

        assertThat(minutes(held("create"))).isEqualTo(RAN.toMinutes());
    }

    @Test
    void aRunThatTheJanitorEndedHeldItsLockUntilItsLeaseExpired() {
        metrics.rescued(aJob(JobType.CREATE, NOON), ended(Run.Result.TIMED_OUT));

        assertThat(minutes(held("create"))).isEqualTo(LEASE.toMinutes());
        assertThat(registry.get("stale.locks.cleaned").counter().count()).isEqualTo(1);
    }

    /** The lock store has counted it when the lock was taken away. */
    @Test
    void aRunWhoseLockWasGoneAddsNothingToTheTimeThatItsLockWasHeld() {
        metrics.rescued(aJob(JobType.CREATE, NOON), ended(Run.Result.LOCK_LOST));

        assertThat(held("create").count()).isZero();
        assertThat(registry.get("stale.locks.cleaned").counter().count()).isZero();
    }

    @Test
    void locksOfClientsAndOfJobsAreToldApartInOneMeter() {
        locks.held(LockType.CLUSTER, RAN);

        assertThat(minutes(held("none"))).isEqualTo(RAN.toMinutes());
        assertThat(held("create").count()).isZero();
        assertThat(registry.find("lock.held.duration").timers())
                .allSatisfy(timer -> assertThat(timer.getId().getTags())
                        .extracting(Tag::getKey)
                        .containsExactly("job_type", "lock_type"));
    }

    @ParameterizedTest
    @EnumSource(Contention.class)
    void aClaimThatDidNotSucceedIsAFailureToAcquireALock(Contention reason) {
        var tag = "claim_" + text(reason);
        assertThat(counter("lock.acquisition.failures", "reason", tag)).isZero();

        metrics.notClaimed(reason);

        assertThat(counter("lock.acquisition.failures", "reason", tag)).isEqualTo(1);
    }

    @Test
    void theWorkersThatWaitAreReadWhenTheyAreAskedFor() {
        assertThat(gauge("jobs.waiting.workers")).isZero();

        metrics.countWaiting(() -> 5);

        assertThat(gauge("jobs.waiting.workers")).isEqualTo(5);
    }

    @Test
    void everyCountIsThereBeforeTheFirstPassAndSaysNothing() {
        for (var type : JobType.values()) {
            assertThat(gauge("jobs.queued", type)).isNaN();
            assertThat(gauge("jobs.oldest.due.seconds", type)).isNaN();
            assertThat(gauge("jobs.running.longest.seconds", type)).isNaN();
        }
        assertThat(gauge("jobs.dead.letters")).isNaN();
        assertThat(gauge("jobs.dead.letter.oldest.seconds")).isNaN();
        assertThat(gauge("jobs.statistics.timestamp.seconds")).isZero();
    }

    @Test
    void whatWasCountedIsShown() {
        metrics.counted(COUNTS, NOON);

        assertThat(gauge("jobs.queued", JobType.CREATE)).isEqualTo(3);
        assertThat(gauge("jobs.oldest.due.seconds", JobType.CREATE)).isEqualTo(90);
        assertThat(gauge("jobs.running.longest.seconds", JobType.DESTROY)).isEqualTo(5400.5);
        assertThat(gauge("jobs.dead.letters")).isEqualTo(2);
        assertThat(gauge("jobs.dead.letter.oldest.seconds")).isEqualTo(4000);
        assertThat(gauge("jobs.statistics.timestamp.seconds")).isEqualTo(NOON.getEpochSecond());
    }

    @Test
    void whatThereIsNoneOfIsZero() {
        metrics.counted(new JobCounts(Map.of(), Map.of(), 0, Optional.empty()), NOON);

        assertThat(gauge("jobs.queued", JobType.CREATE)).isZero();
        assertThat(gauge("jobs.oldest.due.seconds", JobType.CREATE)).isZero();
        assertThat(gauge("jobs.running.longest.seconds", JobType.CREATE)).isZero();
        assertThat(gauge("jobs.dead.letter.oldest.seconds")).isZero();
    }

    @Test
    void anAgeIsNotNegativeIfTheClocksOfTwoReplicasDiffer() {
        metrics.counted(COUNTS, NOON.minusSeconds(91));

        assertThat(gauge("jobs.oldest.due.seconds", JobType.CREATE)).isZero();
    }

    @Test
    void aReplicaThatDidNotCountLastShowsNoOldFiguresButWhenTheyWere() {
        metrics.counted(COUNTS, NOON);

        metrics.notCounted();

        assertThat(gauge("jobs.queued", JobType.CREATE)).isNaN();
        assertThat(gauge("jobs.dead.letters")).isNaN();
        assertThat(gauge("jobs.statistics.timestamp.seconds")).isEqualTo(NOON.getEpochSecond());
    }

    @Test
    void noIdIsATag() {
        var job = aJob(JobType.CREATE, NOON);
        var before = registry.getMeters().size();

        everyStep(job);

        assertThat(registry.getMeters()).hasSize(before);
    }

    @Test
    void everyStepIsPassedOn() {
        everyStep(aJob(JobType.CREATE, NOON));

        assertThat(passedOn)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(JobListener.class.getMethods())
                        .map(method -> method.getName())
                        .toList());
    }

    private void everyStep(Job job) {
        var run = ended(Run.Result.COMPLETED);
        metrics.created(aCluster());
        metrics.submitted(job);
        metrics.claimed(job, run);
        metrics.heartbeat(job, run);
        metrics.finished(job, run);
        metrics.rescued(job, run);
        metrics.ended(job);
        metrics.cancelRequested(job);
        metrics.cancelled(job);
        metrics.retried(job, "once more");
        metrics.refused("heartbeat", job, 1);
        metrics.notClaimed(Contention.LOST);
        metrics.unclaimed(job);
        metrics.counted(COUNTS, NOON);
        metrics.notCounted();
    }

    private JobListener recording() {
        return (JobListener) Proxy.newProxyInstance(
                JobListener.class.getClassLoader(), new Class<?>[] {JobListener.class}, (proxy, method, arguments) -> {
                    passedOn.add(method.getName());
                    return null;
                });
    }

    private static Run ended(Run.Result result) {
        var end = new Run.End(NOON.plus(RAN), result, Optional.empty(), Optional.empty());
        return new Run(
                1,
                1,
                WORKER,
                LockId.random(),
                NOON,
                NOON,
                NOON.plus(LEASE),
                NOON.plus(DEADLINE),
                Optional.empty(),
                Optional.of(end));
    }

    private double attempts(Run.Result result) {
        return registry.get("jobs.attempts")
                .tag("job_type", "scale_workers")
                .tag("result", text(result))
                .counter()
                .count();
    }

    private Timer held(String jobType) {
        return registry.get("lock.held.duration")
                .tag("lock_type", "cluster")
                .tag("job_type", jobType)
                .timer();
    }

    private static long minutes(Timer timer) {
        assertThat(timer.count()).isEqualTo(1);
        return (long) timer.totalTime(TimeUnit.MINUTES);
    }

    private double counter(String name, String key, String value) {
        return registry.get(name).tag(key, value).counter().count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double gauge(String name, JobType type) {
        return registry.get(name).tag("job_type", text(type)).gauge().value();
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
