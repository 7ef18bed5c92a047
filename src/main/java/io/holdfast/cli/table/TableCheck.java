package io.holdfast.cli.table;

import io.holdfast.cli.base.ApiCommand;
import picocli.CommandLine.Command;

@Command(
        name = "check",
        description = {
            "Check that the service can use the table, else exit code 1.",
            "Table, region and credentials come from the settings of the service.",
            "A call to DynamoDB may take 3s, unless a timeout is set; there are 3 attempts.",
        },
        footer = "  holdfast table check --output json")
final class TableCheck extends ApiCommand {
    @Override
    public Integer call() {
        return TableReport.run(holdfast(), (report, table) -> {});
    }
}
