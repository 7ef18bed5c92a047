package io.holdfast.cli.service;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.database.PauseBody;
import picocli.CommandLine.Command;

@Command(name = "resume", description = "Repair statuses again.", footer = "  holdfast services reconciliation resume")
final class ReconciliationResume extends ApiCommand {
    @Override
    public Integer call() {
        output().object(api().put(ReconciliationCommand.PATH, new PauseBody(false, null))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
