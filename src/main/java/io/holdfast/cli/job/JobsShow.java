package io.holdfast.cli.job;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show a job: its status, its progress and its runs.",
        footer = {
            "  holdfast clusters create web --id web --platform aws --base-domain a.example",
            "  holdfast jobs submit web CREATE --key first",
            "  holdfast jobs list --cluster web --output plain | cut -f 1 \\",
            "    | xargs -n 1 holdfast jobs show",
        })
final class JobsShow extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "The job's id")
    private String id;

    @Override
    public Integer call() {
        output().object(api().get(JobsCommand.path(id)).orFail().body());
        return Exit.DONE;
    }
}
