package io.holdfast.cli.access;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "access",
        description = "Check an access file, without the service.",
        subcommands = AccessCheck.class,
        footer = "  holdfast access check access.yaml")
public final class AccessCommand extends CommandGroup {}
