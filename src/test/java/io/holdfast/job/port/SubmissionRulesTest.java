package io.holdfast.job.port;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.model.JobType.DESTROY;
import static io.holdfast.job.model.JobType.JANITOR_DESTROY;
import static io.holdfast.job.model.JobType.SCALE_WORKERS;
import static io.holdfast.job.port.JobFixtures.DEADLINE;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.PERMANENT;
import static io.holdfast.job.port.JobFixtures.QUEUE_MAX;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.TERMS;
import static io.holdfast.job.port.JobFixtures.TRANSIENT;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.keyed;
import static io.holdfast.job.port.JobFixtures.living;
import static io.holdfast.job.port.JobFixtures.wanted;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.QueuedJob;
import io.holdfast.lock.port.Fixtures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Submitting a job, and the end of a cluster's TTL. */
class SubmissionRulesTest {
    private final JobWorld world = new JobWorld(RULES, aCluster(), NOON);

    // Submitting.

    @ParameterizedTest
    @MethodSource("io.holdfast.job.model.JobTypeTest#everyTypeAndStatus")
    void aJobOfAnIdleClusterIsAcceptedIfItMayStart(JobType type, ClusterStatus status) {
        var outcome = world.in(status).trySubmit(wanted(type));

        if (type.startsFrom(status)) {
            assertThat(outcome).isInstanceOf(SubmitOutcome.Submitted.class);
        } else {
            assertThat(outcome).isEqualTo(new SubmitOutcome.Illegal(status, type.during(), status.allowed()));
            assertThat(world.cluster.queue()).isEmpty();
        }
    }

    @Test
    void aSubmittedJobIsAtTheEndOfTheQueue() {
        var create = world.submit(CREATE);
        var scale = world.submit(SCALE_WORKERS);

        assertThat(world.cluster.queue()).containsExactly(QueuedJob.of(create), QueuedJob.of(scale));
        assertThat(scale.status()).isEqualTo(JobStatus.QUEUED);
        assertThat(scale.dueAt()).isEqualTo(world.now);
        assertThat(scale.order().createdAt()).isEqualTo(world.now);
        assertThat(scale.order().deadline()).isEqualTo(DEADLINE);
        assertThat(scale.attempts()).isEqualTo(new Job.Attempts(0, 3, 0));
    }

    @Test
    void aSubmissionMayNameItsDeadline() {
        var asked = new NewJob(CREATE, "{}", Optional.empty(), Optional.of(Duration.ofMinutes(7)));

        var outcome = (SubmitOutcome.Submitted) world.trySubmit(asked);

        assertThat(outcome.job().order().deadline()).isEqualTo(Duration.ofMinutes(7));
    }

    @Test
    void threeDestroysAreAccepted() {
        world.in(ClusterStatus.READY);

        world.submit(DESTROY);
        world.submit(DESTROY);
        world.submit(JANITOR_DESTROY);

        assertThat(world.cluster.queue()).hasSize(3);
    }

    @Test
    void aSecondCreateIsRefused() {
        world.submit(CREATE);

        assertThat(world.trySubmit(wanted(CREATE)))
                .isEqualTo(new SubmitOutcome.Illegal(
                        ClusterStatus.READY,
                        ClusterStatus.CREATING,
                        Set.of(ClusterStatus.SCALING, ClusterStatus.DESTROYING)));
    }

    @Test
    void aChangeAfterADestroyIsRefused() {
        world.in(ClusterStatus.READY).submit(DESTROY);

        assertThat(world.trySubmit(wanted(SCALE_WORKERS)))
                .isEqualTo(new SubmitOutcome.Illegal(ClusterStatus.DESTROYED, ClusterStatus.SCALING, Set.of()));
    }

    @Test
    void aJobIsValidatedAgainstTheOneThatRuns() {
        world.claim(world.submit(CREATE), WORKER);

        world.submit(SCALE_WORKERS);
        assertThat(world.trySubmit(wanted(CREATE))).isInstanceOf(SubmitOutcome.Illegal.class);
    }

    @Test
    void aDestroySupersedesQueuedChanges() {
        var running = world.in(ClusterStatus.READY).claim(world.submit(SCALE_WORKERS), WORKER);
        var first = world.submit(SCALE_WORKERS);
        var second = world.submit(SCALE_WORKERS);

        var destroy = world.submit(DESTROY);

        assertThat(world.cluster.queue()).extracting(QueuedJob::id).containsExactly(running.id(), destroy.id());
        for (var superseded : List.of(first, second)) {
            assertThat(world.job(superseded).status()).isEqualTo(JobStatus.CANCELLED);
            assertThat(errorOf(superseded)).isEqualTo(JobError.SUPERSEDED);
        }
        assertThat(world.job(running).status()).isEqualTo(JobStatus.RUNNING);
    }

    @Test
    void aChangeThatWaitsForItsNextAttemptIsNotSuperseded() {
        var waiting = world.in(ClusterStatus.READY).run(SCALE_WORKERS, TRANSIENT);

        world.submit(DESTROY);

        assertThat(world.job(waiting).status()).isEqualTo(JobStatus.WAITING);
    }

    @Test
    void aFullQueueTakesNoMore() {
        world.in(ClusterStatus.READY);
        IntStream.range(0, QUEUE_MAX).forEach(i -> world.submit(SCALE_WORKERS));

        assertThat(world.trySubmit(wanted(SCALE_WORKERS))).isEqualTo(new SubmitOutcome.QueueFull(QUEUE_MAX));
        // A destroy makes room for itself.
        world.submit(DESTROY);
    }

    @Test
    void theSameKeyTellsOfTheFirstJob() {
        var submitted = (SubmitOutcome.Submitted) world.trySubmit(keyed(CREATE, "key"));

        var again = RULES.submissions().submit(world.cluster, keyed(CREATE, "key"), Optional.of(submitted.job()), NOON);

        assertThat(again.outcome()).isEqualTo(new SubmitOutcome.SubmittedBefore(submitted.job()));
        assertThat(again.changes()).isEmpty();
    }

    /** Also if the job could not be submitted now. */
    @Test
    void theSameKeyTellsOfAJobThatHasEnded() {
        var submitted = (SubmitOutcome.Submitted) world.trySubmit(keyed(CREATE, "key"));
        var done = world.finish(world.claim(submitted.job(), WORKER), DONE);

        assertThat(RULES.submissions()
                        .submit(world.cluster, keyed(CREATE, "key"), Optional.of(done), NOON)
                        .outcome())
                .isEqualTo(new SubmitOutcome.SubmittedBefore(done));
    }

    @ParameterizedTest
    @CsvSource({"DESTROY, {}, 180", "CREATE, {\"a\":1}, 180", "CREATE, {}, 5"})
    void theSameKeyForAnotherJobIsRefused(JobType type, String params, int minutes) {
        var submitted = (SubmitOutcome.Submitted) world.trySubmit(keyed(CREATE, "key"));
        var other = new NewJob(type, params, Optional.of("key"), Optional.of(Duration.ofMinutes(minutes)));

        assertThat(RULES.submissions()
                        .submit(world.cluster, other, Optional.of(submitted.job()), NOON)
                        .outcome())
                .isEqualTo(new SubmitOutcome.KeyReused(submitted.job()));
    }

    @Test
    void theSameKeyWithTheSameDeadlineTellsOfTheFirstJob() {
        var asked = new NewJob(CREATE, "{}", Optional.of("key"), Optional.of(Duration.ofMinutes(7)));
        var submitted = (SubmitOutcome.Submitted) world.trySubmit(asked);

        assertThat(RULES.submissions()
                        .submit(world.cluster, asked, Optional.of(submitted.job()), NOON)
                        .outcome())
                .isEqualTo(new SubmitOutcome.SubmittedBefore(submitted.job()));
    }

    // The end of a cluster's TTL.

    @Test
    void theJanitorDestroysAClusterWhoseTtlIsOver() {
        var old = new JobWorld(RULES, living(Duration.ofHours(1)).withStatus(ClusterStatus.READY), NOON);
        var scale = old.submit(SCALE_WORKERS);
        assertThat(old.applied(RULES.submissions().expire(old.cluster, NOON.plusSeconds(3599))))
                .isEmpty();

        old.wait(Duration.ofHours(1));
        var job = old.applied(RULES.submissions().expire(old.cluster, old.now)).orElseThrow();

        assertThat(job.type()).isEqualTo(JANITOR_DESTROY);
        assertThat(old.job(scale).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(old.cluster.life().expiryHandled()).isTrue();
        assertThat(old.applied(RULES.submissions().expire(old.cluster, old.now)))
                .isEmpty();
    }

    @Test
    void aClusterThatIsBeingDestroyedIsLeftAlone() {
        var old = new JobWorld(RULES, living(Duration.ofHours(1)).withStatus(ClusterStatus.READY), NOON);
        var destroy = old.claim(old.submit(DESTROY), WORKER);
        var later = NOON.plus(Duration.ofHours(1));
        assertThat(old.applied(RULES.submissions().expire(old.cluster, later))).isEmpty();

        // If that destroy fails, the janitor submits one.
        old.finish(destroy, PERMANENT);
        assertThat(old.applied(RULES.submissions().expire(old.cluster, later))).isPresent();
    }

    @Test
    void aClusterThatWasNeverCreatedIsDestroyedWithoutAJob() {
        var old = new JobWorld(RULES, living(Duration.ofHours(1)), NOON);

        assertThat(old.applied(RULES.submissions().expire(old.cluster, NOON.plus(Duration.ofHours(2)))))
                .isEmpty();

        assertThat(old.cluster.status()).isEqualTo(ClusterStatus.DESTROYED);
        assertThat(old.cluster.life().expiryHandled()).isTrue();
    }

    @Test
    void theJanitorDoesNotSubmitAgainIfItsDestroyFailed() {
        var old = new JobWorld(RULES, living(Duration.ofHours(1)).withStatus(ClusterStatus.READY), NOON);
        old.wait(Duration.ofHours(1));
        var destroy =
                old.applied(RULES.submissions().expire(old.cluster, old.now)).orElseThrow();
        old.finish(old.claim(destroy, WORKER), PERMANENT);

        assertThat(RULES.submissions().expire(old.cluster, old.now).changes()).isEmpty();
    }

    /** Otherwise it would submit again after the end of a job that is not its own. */
    @Test
    void theJanitorDoesNotSubmitAgainIfTheDestroyOfAClientCouldNotStart() {
        var old = new JobWorld(RULES, living(Duration.ofHours(1)).withStatus(ClusterStatus.READY), NOON);
        old.wait(Duration.ofHours(1));
        var destroy =
                old.applied(RULES.submissions().expire(old.cluster, old.now)).orElseThrow();
        var other = old.submit(DESTROY);

        old.finish(old.claim(destroy, WORKER), DONE);

        assertThat(old.job(other).status()).isEqualTo(JobStatus.FAILED);
        assertThat(old.cluster.life().expiryHandled()).isTrue();
    }

    @Test
    void whileTheClockIsSuspectNoTtlIsOver() {
        var old = living(Duration.ofHours(1)).withStatus(ClusterStatus.READY);
        var suspect = new JobRules(TERMS, Fixtures.RULES.withoutTakeovers());

        var decision = suspect.submissions().expire(old, NOON.plus(Duration.ofHours(2)));

        assertThat(decision.outcome()).isEmpty();
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void theJanitorSubmitsAgainIfItsDestroyCouldNotStart() {
        var old = new JobWorld(RULES, living(Duration.ofHours(1)), NOON);
        var create = old.submit(CREATE);
        var later = NOON.plus(Duration.ofHours(2));
        var destroy =
                old.applied(RULES.submissions().expire(old.cluster, later)).orElseThrow();
        old.applied(RULES.operator().cancel(old.seen(), create, "not wanted", later));
        assertThat(old.job(destroy).status()).isEqualTo(JobStatus.FAILED);

        assertThat(old.cluster.life().expiryHandled()).isFalse();
    }

    private String errorOf(Job job) {
        return world.job(job).end().flatMap(Job.End::error).orElseThrow().code();
    }
}
