package io.holdfast.cli.table;

import io.holdfast.cli.base.ApiCommand;
import picocli.CommandLine.Command;

@Command(
        name = "create",
        description = {
            "Create the table unless it exists, and check it.",
            "Table, region and credentials come from the settings of the service.",
            "A call to DynamoDB may take 3s, unless a timeout is set; there are 3 attempts.",
        },
        footer = "  holdfast table create --output json")
final class TableCreate extends ApiCommand {
    @Override
    public Integer call() {
        return TableReport.run(holdfast(), (report, table) -> report.create(table));
    }
}
