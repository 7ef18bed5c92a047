package io.holdfast.cli.job;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.CommandGroup;
import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;

@Command(
        name = "jobs",
        description = "Submit jobs for clusters, and show, cancel and retry them.",
        subcommands = {JobsList.class, JobsShow.class, JobsSubmit.class, JobsCancel.class, JobsRetry.class},
        footer = "  holdfast jobs list")
public final class JobsCommand extends CommandGroup {
    static String path(String id) {
        return ApiClient.path("v1", "jobs", Text.name("ID", id));
    }
}
