package io.holdfast.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import io.holdfast.cli.retry.FailureNotes;
import io.holdfast.cli.retry.Wakeup;
import io.holdfast.http.wire.service.DeployServiceBody;
import io.holdfast.kernel.Text;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "deploy",
        customSynopsis = "holdfast services deploy NAME [OPTIONS] [-- COMMAND...]",
        description = {
            "Begin a deployment, and run the command for it.",
            "Its exit code decides whether RUNNING or FAILED is reported, and is kept.",
            "It gets HOLDFAST_SERVICE, HOLDFAST_DEPLOYMENT_ID and HOLDFAST_EPOCH.",
            "Exit code 3: not begun, 4: unanswered, 5: its result was refused.",
        },
        footer = {
            "  holdfast services put web --unobserved",
            "  holdfast services deploy web --rollback-command 'echo back' -- echo done",
        })
final class ServicesDeploy extends ApiCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The service's name")
    private String name;

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "The command to run, after --")
    private List<String> command = List.of();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; shown in the history")
    private String reason;

    @Option(names = "--deadline", paramLabel = "TIME", description = "Longest time. Default: as registered")
    private Duration deadline;

    @Option(names = "--deployment-id", paramLabel = "ID", description = "A UUID to repeat a begin. Default: generated")
    private String deploymentId;

    @Option(names = "--rollback-command", paramLabel = "TEXT", description = "For sh, after a failed command")
    private String rollbackCommand;

    @Option(
            names = "--report-timeout",
            paramLabel = "TIME",
            defaultValue = "5m",
            description = "How long the report is repeated. Default: 5m")
    private Duration reportTimeout;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "SIGTERM to SIGKILL for what it leaves. Default: 10s")
    private Duration grace;

    private final Wakeup wakeup = new Wakeup();
    private final DeploymentSignals signals = new DeploymentSignals(wakeup);

    @Override
    public Integer call() throws InterruptedException {
        var service = Text.name("NAME", name);
        if (rollbackCommand != null && command.isEmpty()) {
            throw usageError("--rollback-command needs a command after --");
        }
        var body = new DeployServiceBody(
                reason,
                deadline == null ? null : DurationText.wire(deadline),
                deploymentId == null ? UUID.randomUUID().toString() : deploymentId);
        if (!command.isEmpty()) {
            environment().signals().listen(signals::received);
        }
        var answer = new DeploymentStart(api(), service, body, signals, wakeup).begin();
        return command.isEmpty() ? shown(answer) : run(Deployment.of(service, answer));
    }

    private int shown(JsonNode answer) {
        var deployment = JsonNodeFactory.instance.objectNode();
        deployment.set("deployment_id", answer.path("deployment_id"));
        deployment.set("epoch", answer.path("epoch"));
        deployment.set("deadline", answer.at("/service/deployment/deadline"));
        output().object(output().format() == Format.JSON ? answer : deployment);
        return Exit.DONE;
    }

    private int run(Deployment deployment) throws InterruptedException {
        holdfast()
                .note("Deployment %s of '%s' has begun, epoch %d."
                        .formatted(deployment.id(), deployment.service(), deployment.epoch()));
        var ended = new DeploymentRun(deployment, grace, signals, wakeup, holdfast()::note)
                .run(command, Optional.ofNullable(rollbackCommand));
        var failures = new FailureNotes(api().server(), holdfast()::note);
        var outcome = new DeploymentReporter(api(), reportTimeout, signals, wakeup, failures)
                .send(deployment, ended.result());
        return exit(deployment, ended, outcome);
    }

    private int exit(Deployment deployment, DeploymentRun.Ended ended, DeploymentReporter.Outcome outcome) {
        return switch (outcome) {
            case DeploymentReporter.Outcome.Accepted accepted -> {
                holdfast().note(ended.result().sentence(deployment.service()));
                yield ended.exit();
            }
            case DeploymentReporter.Outcome.Refused(String sentence) -> {
                holdfast()
                        .note("%s The result %s of deployment %s does not count."
                                .formatted(sentence, ended.result().status(), deployment.id()));
                yield Exit.LOST;
            }
            case DeploymentReporter.Outcome.NotReported(String sentence) -> {
                holdfast()
                        .note(sentence + " The result was not reported. Report it: "
                                + reportCommand(deployment, ended));
                yield signals.isUrgent() ? signals.exit() : Exit.UNAVAILABLE;
            }
        };
    }

    private static String reportCommand(Deployment deployment, DeploymentRun.Ended ended) {
        return "holdfast services result %s --deployment-id %s --epoch %d %s"
                .formatted(
                        deployment.service(),
                        deployment.id(),
                        deployment.epoch(),
                        ended.result().rolledBack()
                                ? "--rolled-back"
                                : "--status " + ended.result().status());
    }
}
