package io.holdfast.cli;

import picocli.CommandLine.Command;

@Command(
        name = "table",
        description = "The service's DynamoDB table, reached without the service.",
        subcommands = {TableCreate.class, TableCheck.class},
        footer = "  holdfast table check")
final class TableCommand extends Group {}
