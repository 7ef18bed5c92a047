package io.holdfast.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.cli.work.HandlerOutput.HandlerError;
import io.holdfast.cli.work.JobReport.Complete;
import io.holdfast.cli.work.JobReport.Fail;
import io.holdfast.http.wire.job.FailJobBody;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobReportTest {
    private final HandlerNotes said = new HandlerNotes(progress -> {}, sentence -> {});

    @Test
    void exitCodeZeroIsSuccessWithTheResult() {
        assertThat(JobReport.ended(0, said, false)).isEqualTo(new Complete(Optional.empty()));

        var result = JsonNodeFactory.instance.objectNode().put("nodes", 3);
        said.result(result);
        said.error(new HandlerError("E1", null));

        assertThat(JobReport.ended(0, said, true)).isEqualTo(new Complete(Optional.of(result)));
    }

    @Test
    void onlyExitCode75IsTriedAgain() {
        assertThat(JobReport.ended(75, said, false))
                .isEqualTo(new Fail("EXIT_75", Optional.of("The handler ended with exit code 75."), true));
        assertThat(JobReport.ended(3, said, false))
                .isEqualTo(new Fail("EXIT_3", Optional.of("The handler ended with exit code 3."), false));
        assertThat(JobReport.ended(137, said, false))
                .isEqualTo(new Fail("EXIT_137", Optional.of("The handler ended with exit code 137."), false));
    }

    @Test
    void theErrorOfTheHandlerReplacesItsExitCode() {
        said.error(new HandlerError("THROTTLED", "try later"));
        assertThat(JobReport.ended(75, said, false)).isEqualTo(new Fail("THROTTLED", Optional.of("try later"), true));

        said.error(new HandlerError("QUOTA", null));
        assertThat(JobReport.ended(1, said, false)).isEqualTo(new Fail("QUOTA", Optional.empty(), false));
    }

    @Test
    void aFailureAfterCtrlCIsTriedAgain() {
        assertThat(JobReport.ended(130, said, true)).isInstanceOfSatisfying(Fail.class, fail -> {
            assertThat(fail.code()).isEqualTo("WORKER_STOPPED");
            assertThat(fail.retryable()).isTrue();
        });
    }

    @Test
    void onlyAClaimThatAnotherWorkerMayHaveIsNotReported() {
        assertThat(JobReport.lost(new LeaseLoss(LeaseLoss.Cause.STALE, "Gone.")))
                .isEmpty();
        assertThat(JobReport.lost(new LeaseLoss(LeaseLoss.Cause.UNCONFIRMED, "No answer.")))
                .contains(new Fail("HEARTBEAT_FAILED", Optional.of("No answer."), true));
        assertThat(JobReport.lost(new LeaseLoss(LeaseLoss.Cause.DEADLINE, "Too long.")))
                .contains(new Fail("DEADLINE_EXCEEDED", Optional.of("Too long."), true));
    }

    @Test
    void aMessageFitsTheLimitOfTheService() {
        var body = new Fail("E1", Optional.of("x\n".repeat(2000)), false).body(7);

        assertThat(body).isInstanceOfSatisfying(FailJobBody.class, fail -> assertThat(fail.message())
                .hasSizeLessThanOrEqualTo(1024)
                .doesNotContain("\n"));
    }
}
