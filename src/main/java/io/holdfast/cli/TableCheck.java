package io.holdfast.cli;

import picocli.CommandLine.Command;

@Command(
        name = "check",
        description = {
            "Check that the table is as the service needs it, else exit code 1.",
            "Table, region and credentials are the service's own settings.",
        },
        footer = "  holdfast table check --output json")
final class TableCheck extends Client {
    @Override
    public Integer call() {
        return TableVisit.pay(holdfast(), (visit, table) -> {});
    }
}
