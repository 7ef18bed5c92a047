package io.holdfast.cli.table;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "table",
        description = "Create and check the DynamoDB table, without the service.",
        subcommands = {TableCreate.class, TableCheck.class},
        footer = "  holdfast table check")
public final class TableCommand extends CommandGroup {}
