package io.holdfast.cli.database;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Show a database: its apps, its state, and what keeps it up.",
        footer = {
            "  holdfast databases put i-0abc --type pg --host db --actuator kind=simulated",
            "  holdfast databases show i-0abc",
        })
final class DatabasesShow extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "EC2 instance id, else host:port")
    private String id;

    @Override
    public Integer call() {
        output().object(api().get(DatabasesCommand.path(Text.name("ID", id)))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
