package io.holdfast.telemetry.log;

import static io.holdfast.job.port.JobFixtures.DEADLINE;
import static io.holdfast.job.port.JobFixtures.OTHER_WORKER;
import static io.holdfast.job.port.JobFixtures.THROTTLED;
import static io.holdfast.job.port.JobFixtures.aJob;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.actuator.LogLines;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.lock.model.LockId;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JobLogTest {
    private static final long EPOCH = 42;
    private static final String OF_RUN = " epoch=42 worker=\"worker 2\" attempt=1";

    private final JobLog log = new JobLog();
    private final Job queued = aJob(JobType.CREATE, NOON);
    private final Run run = new Run(
            1,
            EPOCH,
            OTHER_WORKER,
            LockId.random(),
            NOON,
            NOON,
            NOON.plusSeconds(60),
            NOON.plus(DEADLINE),
            Optional.empty(),
            Optional.empty());
    private final Job running = queued.started(run);
    private final Run timedOut = run.ended(new Run.End(
            NOON.plusSeconds(90), Run.Result.TIMED_OUT, Optional.of(THROTTLED), Optional.of(NOON.plusSeconds(100))));
    private final Job waiting = running.waiting(timedOut, NOON.plusSeconds(100));
    private final String ofJob = " job=%s cluster=%s type=CREATE".formatted(queued.id(), queued.cluster());

    @Test
    void aSubmissionNamesJobAndCluster() {
        assertThat(logged("io.holdfast.job", on -> on.submitted(queued))).isEqualTo("Job submitted" + ofJob);
    }

    @Test
    void eachStepOfARunNamesEpochWorkerAndAttempt() {
        assertThat(logged("io.holdfast.job", on -> on.claimed(running, run))).isEqualTo("Job claimed" + ofJob + OF_RUN);
        assertThat(logged("io.holdfast.job", on -> on.heartbeat(running, run)))
                .startsWith("Job heartbeat" + ofJob + OF_RUN);
        assertThat(logged("io.holdfast.job", on -> on.unclaimed(running))).endsWith(ofJob + OF_RUN);
        assertThat(logged("io.holdfast.job", on -> on.finished(waiting, timedOut)))
                .startsWith("Job run ended" + ofJob + OF_RUN + " status=WAITING duration_ms=90000");
        assertThat(logged("io.holdfast.job", on -> on.rescued(waiting, timedOut)))
                .startsWith("Job run ended by the janitor" + ofJob + OF_RUN)
                .contains(" error_code=THROTTLED ")
                .endsWith(" next_attempt_at=" + NOON.plusSeconds(100));
    }

    @Test
    void aCancellationOfARunningJobNamesItsRun() {
        var asked = running.cancelRequested(new Job.Cancellation(NOON, "not wanted"));

        assertThat(logged("io.holdfast.audit", on -> on.cancelRequested(asked)))
                .isEqualTo("Cancellation of a running job requested" + ofJob + OF_RUN + " reason=\"not wanted\"");
    }

    @Test
    void aRefusedReportNamesTheRunThatIsOver() {
        assertThat(logged("io.holdfast.job", on -> on.refused("finish", waiting, EPOCH)))
                .endsWith(" operation=finish" + ofJob + OF_RUN + " status=WAITING holder=none");
        assertThat(logged("io.holdfast.job", on -> on.refused("finish", waiting, 7)))
                .contains(" epoch=7 ")
                .doesNotContain("worker=");
    }

    @Test
    void aJobThatEndsWithoutARunSaysWhy() {
        var error = JobError.of(JobError.SUPERSEDED, "A destroy was submitted.");
        var ended = queued.ended(
                JobStatus.CANCELLED, Optional.empty(), new Job.End(NOON, Optional.of(error), Optional.empty()));

        assertThat(logged("io.holdfast.job", on -> on.ended(ended)))
                .isEqualTo("Job ended without a run" + ofJob
                        + " status=CANCELLED error_code=SUPERSEDED error=\"A destroy was submitted.\"");
    }

    private String logged(String category, Consumer<JobLog> step) {
        try (var lines = new LogLines(category)) {
            step.accept(log);
            assertThat(lines.records()).hasSize(1);
            var line = lines.records().getFirst();
            return line.getMessage().formatted(line.getParameters());
        }
    }
}
