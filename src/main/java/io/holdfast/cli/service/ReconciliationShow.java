package io.holdfast.cli.service;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import picocli.CommandLine.Command;

@Command(
        name = "show",
        description = "Show whether the repair of statuses is paused, and why.",
        footer = "  holdfast services reconciliation show")
final class ReconciliationShow extends ApiCommand {
    @Override
    public Integer call() {
        output().object(api().get(ReconciliationCommand.PATH).orFail().body());
        return Exit.DONE;
    }
}
