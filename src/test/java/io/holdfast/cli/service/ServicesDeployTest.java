package io.holdfast.cli.service;

import static io.holdfast.cli.service.FakeServices.BEGUN;
import static io.holdfast.cli.service.FakeServices.ENDED;
import static io.holdfast.cli.service.FakeServices.EPOCH;
import static io.holdfast.cli.service.FakeServices.ID;
import static io.holdfast.cli.service.FakeServices.LOCKED;
import static io.holdfast.cli.service.FakeServices.LOST;
import static io.holdfast.cli.service.FakeServices.STALE;
import static io.holdfast.cli.service.FakeServices.UNAVAILABLE;
import static io.holdfast.cli.service.FakeServices.WRITTEN;
import static io.holdfast.cli.service.FakeServices.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CommandInProcess;
import io.holdfast.kernel.KnownSettings;
import io.holdfast.suite.Slow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Deployments with real commands, and a service that answers what a test wants. */
@Slow
class ServicesDeployTest extends DeployCalls {
    @Test
    void theCommandGetsTheDeploymentAndItsSuccessIsReported() throws Exception {
        var deploy = deploy(
                "--reason release-41 --deadline 30m",
                "echo \"$HOLDFAST_SERVICE $HOLDFAST_DEPLOYMENT_ID $HOLDFAST_EPOCH\" >" + file("got"));

        assertThat(deploy.awaitExit()).as(deploy.err()).isZero();
        var begun = services.asked("deploy");
        assertThat(begun.path("reason").asText()).isEqualTo("release-41");
        assertThat(begun.path("deadline").asText()).isEqualTo("1800000ms");
        assertThat(begun.path("deployment_id").asText()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(file("got")).hasContent("web %s %d\n".formatted(ID, EPOCH));
        assertThat(services.asked("result").toString())
                .isEqualTo("{\"deployment_id\":\"%s\",\"epoch\":%d,\"status\":\"RUNNING\"}".formatted(ID, EPOCH));
        assertThat(deploy.out()).isEmpty();
        assertThat(deploy.err())
                .isEqualTo(
                        """
                        holdfast: Deployment %s of 'web' has begun, epoch %d.
                        holdfast: Service 'web' is RUNNING.
                        """
                                .formatted(ID, EPOCH));
    }

    /** Otherwise a service that the command starts would warn of them. */
    @Test
    void theVariablesOfTheCommandAreKnown() {
        assertThat(KnownSettings.unknownVariables(new Deployment("web", ID, EPOCH).variables()))
                .isEmpty();
    }

    @Test
    void aFailedCommandIsReportedAndItsExitCodeIsKept() throws Exception {
        var deploy = deploy("", "exit 7");

        assertThat(deploy.awaitExit()).isEqualTo(7);
        var result = services.asked("result");
        assertThat(result.path("status").asText()).isEqualTo("FAILED");
        assertThat(result.path("reason").asText()).isEqualTo("The command ended with exit code 7.");
        assertThat(deploy.err()).endsWith("Service 'web' is FAILED: The command ended with exit code 7.\n");
    }

    @Test
    void aRollbackThatSucceedsIsReportedAsRunning() throws Exception {
        var deploy = deployWithRollback("echo \"$HOLDFAST_EPOCH\" >" + file("back"), "exit 7");

        assertThat(deploy.awaitExit()).isEqualTo(7);
        assertThat(file("back")).hasContent(EPOCH + "\n");
        assertRolledBack("The command ended with exit code 7.");
        assertThat(deploy.err())
                .contains("holdfast: The command ended with exit code 7. Rolling back.\n")
                .endsWith("Service 'web' is RUNNING, rolled back: The command ended with exit code 7.\n");
    }

    @Test
    void aRollbackThatFailsIsAFailure() throws Exception {
        assertThat(deployWithRollback("exit 9", "exit 7").awaitExit()).isEqualTo(7);
        assertFailed("The command ended with exit code 7. The rollback command ended with exit code 9.");
    }

    @Test
    void aCommandThatSucceedsIsNotRolledBack() throws Exception {
        assertThat(deployWithRollback("touch " + file("back"), "exit 0").awaitExit())
                .isZero();
        assertThat(file("back")).doesNotExist();
    }

    @Test
    void aCommandThatCannotBeStartedHasFailed() throws Exception {
        assertThat(deploy("", List.of("./no-such-command")).awaitExit()).isEqualTo(127);
        assertFailed("There is no command './no-such-command'.");
        assertThat(deploy("", List.of(folder.toString())).awaitExit()).isEqualTo(126);
        assertFailed("'%s' cannot be run: permission denied.".formatted(folder));

        assertThat(deploy("--rollback-command true", List.of("./no-such-command"))
                        .awaitExit())
                .isEqualTo(127);
        assertRolledBack("There is no command './no-such-command'.");
    }

    @Test
    void aDeploymentThatIsRefusedRunsNothing() throws Exception {
        for (var refusal : List.of(problem(409, "illegal-transition", "It is DEPLOYING."), LOCKED, ENDED)) {
            fresh().answering("deploy", refusal);

            var deploy = deploy("", "touch " + file("ran"));

            assertThat(deploy.awaitExit()).as(deploy.err()).isEqualTo(3);
            assertThat(services.actions()).containsExactly("deploy");
        }
        assertThat(file("ran")).doesNotExist();
    }

    @Test
    void aLostAnswerIsRepeatedWithTheSameId() throws Exception {
        fresh().answering("deploy", LOST, UNAVAILABLE, LOCKED, BEGUN).answering("result", WRITTEN);

        assertThat(deploy("", "exit 0").awaitExit()).isZero();

        var id = services.asked("deploy").path("deployment_id").asText();
        for (var repeated = 0; repeated < 3; repeated++) {
            assertThat(services.asked("deploy").path("deployment_id").asText()).isEqualTo(id);
        }
    }

    /** A later begin by hand must not become a second deployment. */
    @Test
    void aBeginThatStaysInDoubtNamesTheId() throws Exception {
        fresh().answering("deploy", UNAVAILABLE);

        var deploy = new CommandInProcess(
                Map.of("HOLDFAST_URL", services.url(), "HOLDFAST_TIMEOUT", "1s"),
                List.of("services", "deploy", "web", "--", "touch", file("ran").toString()));

        assertThat(deploy.awaitExit()).isEqualTo(4);
        var id = services.asked("deploy").path("deployment_id").asText();
        assertThat(deploy.err())
                .isEqualTo("holdfast: The store is away. Deployment %s may have begun; repeat the command with "
                                .formatted(id)
                        + "--deployment-id %s.\n".formatted(id));
        assertThat(services.actions()).hasSizeGreaterThan(1).containsOnly("deploy");
        assertThat(file("ran")).doesNotExist();
    }

    @Test
    void aReportIsRepeatedUntilItIsAnswered() throws Exception {
        fresh().answering("deploy", BEGUN).answering("result", UNAVAILABLE, LOST, LOCKED, WRITTEN);

        var deploy = deploy("", "exit 7");

        assertThat(deploy.awaitExit()).isEqualTo(7);
        for (var sent = 0; sent < 4; sent++) {
            assertThat(services.asked("result").path("status").asText()).isEqualTo("FAILED");
        }
        assertThat(deploy.err()).contains("The store is away. Retrying.").containsOnlyOnce("answers again.");
    }

    @Test
    void aResultThatIsRefusedIsALoss() throws Exception {
        for (var refusal :
                List.of(STALE, problem(409, "illegal-transition", "No."), problem(404, "not-found", "No."))) {
            fresh().answering("deploy", BEGUN).answering("result", refusal);

            var deploy = deploy("", "exit 0");

            assertThat(deploy.awaitExit()).as(refusal.toString()).isEqualTo(5);
            assertThat(deploy.err()).endsWith(" The result RUNNING of deployment %s does not count.\n".formatted(ID));
            assertThat(services.actions()).containsExactly("deploy", "result");
        }
    }

    /** The first report was written, and its answer lost; then a later deployment began. */
    @Test
    void aResultThatWasWrittenBeforeALaterDeploymentCounts() throws Exception {
        for (var writer : List.of("worker", "reconciler")) {
            fresh().answering("deploy", BEGUN)
                    .answering("result", LOST, STALE)
                    .answering(
                            "history",
                            new FakeServices.Reply(
                                    200,
                                    "{\"moves\":[{\"to\":\"RUNNING\",\"by\":\"%s\",\"deployment_id\":\"%s\",\"rolled_back\":false}]}"
                                            .formatted(writer, ID)));

            assertThat(deploy("", "exit 0").awaitExit()).as(writer).isEqualTo(writer.equals("worker") ? 0 : 5);
        }
    }

    @Test
    void aReportWithoutAnAnswerTellsHowToRepeatIt() throws Exception {
        fresh().answering("deploy", BEGUN).answering("result", UNAVAILABLE);

        var deploy = deploy("--report-timeout 0s --rollback-command true", List.of("false"));

        assertThat(deploy.awaitExit()).isEqualTo(4);
        assertThat(deploy.err())
                .endsWith(("The result was not reported. Report it: holdfast services result web --deployment-id %s"
                                + " --epoch %d --rolled-back\n")
                        .formatted(ID, EPOCH));
    }
}
