package io.holdfast.cli.table;

import io.holdfast.cli.base.ApiCommand;
import picocli.CommandLine.Command;

@Command(
        name = "create",
        description = {
            "Create the table unless it is there, and check it.",
            "Table, region and credentials are the service's own settings.",
        },
        footer = "  holdfast table create --output json")
final class TableCreate extends ApiCommand {
    @Override
    public Integer call() {
        return TableReport.pay(holdfast(), (visit, table) -> visit.create(table));
    }
}
