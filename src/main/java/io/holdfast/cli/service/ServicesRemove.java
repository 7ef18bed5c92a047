package io.holdfast.cli.service;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "rm",
        description = "Remove a service. Its history is kept.",
        footer = {
            "  holdfast services put trial --unobserved",
            "  holdfast services rm trial",
        })
final class ServicesRemove extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The service's name")
    private String name;

    @Override
    public Integer call() {
        api().delete(ServicesCommand.path(name)).orFail();
        output().removed(name);
        return Exit.DONE;
    }
}
