package io.holdfast.cli.service;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "reconciliation",
        description = "Pause and resume repairs of statuses, on all replicas.",
        subcommands = {ReconciliationShow.class, ReconciliationPause.class, ReconciliationResume.class},
        footer = "  holdfast services reconciliation show")
final class ReconciliationCommand extends CommandGroup {
    static final String PATH = "/v1/reconciliation";
}
