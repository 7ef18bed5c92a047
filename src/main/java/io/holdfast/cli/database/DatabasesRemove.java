package io.holdfast.cli.database;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "rm",
        description = "Remove a database that no app uses, else exit code 3.",
        footer = {
            "  holdfast databases put i-0def --type pg --host db --actuator kind=simulated",
            "  holdfast databases rm i-0def",
        })
final class DatabasesRemove extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "EC2 instance id, else host:port")
    private String id;

    @Override
    public Integer call() {
        api().delete(DatabasesCommand.path(Text.name("ID", id))).orFail();
        output().removed(id);
        return Exit.DONE;
    }
}
