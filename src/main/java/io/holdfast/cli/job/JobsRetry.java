package io.holdfast.cli.job;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.job.RetryJobBody;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "retry",
        description = "Queue a DEAD job again, with new attempts. Exit code 3 if it is not DEAD.",
        footer = {
            "  holdfast jobs list --status DEAD --output plain | cut -f 1 \\",
            "    | xargs -r -n 1 holdfast jobs retry --reason 'quota raised'",
        })
final class JobsRetry extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "The job's id")
    private String id;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; written to the log")
    private String reason;

    @Override
    public Integer call() {
        if (reason.isBlank()) {
            throw usageError("--reason must not be blank");
        }
        output().object(api().post(JobsCommand.path(id) + "/retry", new RetryJobBody(reason))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
