package io.holdfast.cli.table;

import io.holdfast.cli.base.ApiCommand;
import picocli.CommandLine.Command;

@Command(
        name = "check",
        description = {
            "Check that the table is as the service needs it, else exit code 1.",
            "Table, region and credentials are the service's own settings.",
        },
        footer = "  holdfast table check --output json")
final class TableCheck extends ApiCommand {
    @Override
    public Integer call() {
        return TableReport.pay(holdfast(), (visit, table) -> {});
    }
}
