package io.holdfast.cli.service;

import static io.holdfast.cli.service.FakeServices.BEGUN;
import static io.holdfast.cli.service.FakeServices.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.suite.Slow;
import org.junit.jupiter.api.Test;

/** Signals to a deployment: passed on, urgent, before the start and during the report. */
@Slow
class DeploySignalsTest extends DeployCalls {
    private static final int TERMINATED = 143;

    @Test
    void aSignalIsPassedOnAndTheDeploymentIsRolledBack() throws Exception {
        var deploy = deployWithRollback("touch " + file("back"), untilTerm("exit 143"));
        awaitFile("ready");

        deploy.terminate();

        assertThat(deploy.awaitExit()).as(deploy.err()).isEqualTo(TERMINATED);
        assertThat(file("back")).exists();
        assertRolledBack("The command ended with exit code 143.");
    }

    @Test
    void aCommandThatSucceedsInSpiteOfASignalHasSucceeded() throws Exception {
        var deploy = deploy("", untilTerm("exit 0"));
        awaitFile("ready");

        deploy.terminate();

        assertThat(deploy.awaitExit()).isZero();
        assertThat(services.asked("result").path("status").asText()).isEqualTo("RUNNING");
    }

    @Test
    void theSecondSignalKillsTheCommandAndTheFailureIsReported() throws Exception {
        var deploy = deployWithRollback(
                "touch " + file("back"),
                "trap 'touch %s' TERM; touch %s; while :; do sleep 0.05; done".formatted(file("term"), file("ready")));
        awaitFile("ready");
        deploy.terminate();
        awaitFile("term");

        deploy.terminate();

        assertThat(deploy.awaitExit()).isEqualTo(TERMINATED);
        assertFailed("The command was killed after a second signal.");
        assertThat(file("back")).doesNotExist();
    }

    @Test
    void theSecondSignalKillsTheRollback() throws Exception {
        var deploy = deployWithRollback(
                "trap 'touch %s' TERM; touch %s; while :; do sleep 0.05; done".formatted(file("term"), file("ready")),
                "exit 7");
        awaitFile("ready");
        deploy.terminate();
        awaitFile("term");

        deploy.terminate();

        assertThat(deploy.awaitExit()).isEqualTo(TERMINATED);
        assertFailed("The command ended with exit code 7. The rollback command was killed after a second signal.");
    }

    @Test
    void aSignalBeforeTheStartIsAFailedDeployment() throws Exception {
        services.holding("deploy");
        var deploy = deploy("", "touch " + file("ran"));
        services.asked("deploy");

        deploy.terminate();
        services.release();

        assertThat(deploy.awaitExit()).isEqualTo(TERMINATED);
        assertFailed("The command was not started because of a signal.");
        assertThat(file("ran")).doesNotExist();
    }

    @Test
    void aSignalEndsTheReport() throws Exception {
        fresh().answering("deploy", BEGUN).answering("result", UNAVAILABLE);
        var deploy = deploy("--report-timeout 1h", "exit 0");
        services.asked("result");

        deploy.terminate();

        assertThat(deploy.awaitExit()).isEqualTo(TERMINATED);
        assertThat(deploy.err()).contains("The result was not reported.");
    }

    @Test
    void aSignalEndsAReportThatIsNotAnswered() throws Exception {
        services.holding("result");
        var deploy = deploy("--report-timeout 1h", "exit 0");
        services.asked("result");

        deploy.terminate();

        assertThat(deploy.awaitExit()).isEqualTo(TERMINATED);
        assertThat(deploy.err()).contains("did not answer in time. The result was not reported.");
    }
}
