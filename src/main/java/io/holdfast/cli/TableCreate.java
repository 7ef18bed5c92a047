package io.holdfast.cli;

import picocli.CommandLine.Command;

@Command(
        name = "create",
        description = {
            "Create the table unless it is there, and check it.",
            "Table, region and credentials are the service's own settings.",
        },
        footer = "  holdfast table create --output json")
final class TableCreate extends Client {
    @Override
    public Integer call() {
        return TableVisit.pay(holdfast(), (visit, table) -> visit.create(table));
    }
}
