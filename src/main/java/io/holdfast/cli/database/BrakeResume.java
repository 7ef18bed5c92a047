package io.holdfast.cli.database;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.database.PauseBody;
import picocli.CommandLine.Command;

@Command(name = "resume", description = "Allow stops of databases again.", footer = "  holdfast brake resume")
final class BrakeResume extends ApiCommand {
    @Override
    public Integer call() {
        output().object(api().put(BrakeCommand.PATH, new PauseBody(false, null))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
