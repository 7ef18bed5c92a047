package io.holdfast.cli.service;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.database.PauseBody;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "pause",
        description = "Repair no status until 'resume'. Requests go on.",
        footer = "  holdfast services reconciliation pause --reason 'cluster upgrade'")
final class ReconciliationPause extends ApiCommand {
    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; shown by 'show'")
    private String reason;

    @Override
    public Integer call() {
        if (reason.isBlank()) {
            throw usageError("--reason must not be blank");
        }
        output().object(api().put(ReconciliationCommand.PATH, new PauseBody(true, reason))
                .orFail()
                .body());
        return Exit.DONE;
    }
}
