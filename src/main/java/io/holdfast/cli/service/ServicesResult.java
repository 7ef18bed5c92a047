package io.holdfast.cli.service;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "result",
        description = {
            "Report how a deployment has ended; it may be repeated.",
            "Exit code 3 if another writer has ended it, or a later one has begun.",
        },
        footer = {
            "  holdfast services put shop --unobserved",
            "  holdfast services deploy shop -o plain | cut -f 2 | { read id; read epoch; \\",
            "    holdfast services result shop --deployment-id $id --epoch $epoch \\",
            "    --status RUNNING; }",
        })
final class ServicesResult extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The service's name")
    private String name;

    @Option(names = "--deployment-id", paramLabel = "ID", required = true, description = "As 'deploy' has printed it")
    private String deploymentId;

    @Option(names = "--epoch", paramLabel = "N", required = true, description = "As 'deploy' has printed it")
    private Long epoch;

    @Option(names = "--status", paramLabel = "STATUS", description = "RUNNING or FAILED")
    private String status;

    @Option(names = "--rolled-back", description = "It failed, and what ran before runs again; implies RUNNING")
    private boolean rolledBack;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; shown in the history")
    private String reason;

    @Override
    public Integer call() {
        if (status == null && !rolledBack) {
            throw usageError("Give --status or --rolled-back");
        }
        var deployment = new Deployment(name, deploymentId, epoch);
        var result = new DeploymentResult(
                status == null ? DeploymentResult.RUNNING : status, rolledBack, Optional.ofNullable(reason));
        output().object(api().post(deployment.path("result"), result.body(deployment))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
