package io.holdfast.cli.job;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.job.CancelJobBody;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        description = {
            "Cancel a job that has not ended, else exit code 3.",
            "A queued one ends at once, a running one when its worker sends a heartbeat.",
        },
        footer = {
            "  holdfast clusters create tmp --id tmp --platform aws --base-domain a.example",
            "  holdfast jobs submit tmp CREATE --key first",
            "  holdfast jobs list --cluster tmp --status QUEUED --output plain | cut -f 1 \\",
            "    | xargs -r -n 1 holdfast jobs cancel --reason 'not needed'",
        })
final class JobsCancel extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "The job's id")
    private String id;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; stored with the job")
    private String reason;

    @Override
    public Integer call() {
        if (reason.isBlank()) {
            throw usageError("--reason must not be blank");
        }
        output().object(api().post(JobsCommand.path(id) + "/cancel", new CancelJobBody(reason))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
