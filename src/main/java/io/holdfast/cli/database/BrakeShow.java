package io.holdfast.cli.database;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import picocli.CommandLine.Command;

@Command(
        name = "show",
        description = "Show whether stops are paused, why, and how many there were in the last hour.",
        footer = "  holdfast brake show")
final class BrakeShow extends ApiCommand {
    @Override
    public Integer call() {
        output().object(api().get(BrakeCommand.PATH).orFail().body());
        return Exit.DONE;
    }
}
