package io.holdfast.cli.database;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.database.PauseBody;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "pause",
        description = "Stop no database until 'brake resume'. A stop that was already sent goes on.",
        footer = "  holdfast brake pause --reason 'restore in progress'")
final class BrakePause extends ApiCommand {
    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; shown with each refused stop")
    private String reason;

    @Override
    public Integer call() {
        if (reason.isBlank()) {
            throw usageError("--reason must not be blank");
        }
        output().object(api().put(BrakeCommand.PATH, new PauseBody(true, reason))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
